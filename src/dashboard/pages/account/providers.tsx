import { useSession } from '../../data/session.tsx'

const names = { GITHUB: 'GitHub', GOOGLE: 'Google' }

/** The buttons of the services that people can sign in with here; they lead to pages of the server. */
export function Providers() {
  const { oauthProviders } = useSession().config
  if (oauthProviders.length === 0) return null
  return (
    <div className="providers">
      {oauthProviders.map((provider) => (
        <a key={provider} className="button" href={`/oauth/${provider.toLowerCase()}/outbound`}>
          Continue with {names[provider]}
        </a>
      ))}
      <p className="or">or</p>
    </div>
  )
}
