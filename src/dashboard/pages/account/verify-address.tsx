import { useClient } from 'urql'
import { useAction } from '../../data/action.ts'
import { useSession, useViewer } from '../../data/session.tsx'
import { LogOutDocument, RequestVerificationDocument } from '../../graphql/graphql.ts'
import { Button } from '../../parts/button.tsx'
import { ProblemNote } from '../../parts/state.tsx'
import { toast } from '../../parts/toast.tsx'
import { Outside } from './outside.tsx'

/** What people see who must confirm their address before they may do anything else. */
export function VerifyAddress() {
  const { email } = useViewer()
  const { refresh } = useSession()
  const client = useClient()
  const { run, busy, problem } = useAction(RequestVerificationDocument)
  const again = async () => {
    const data = await run({})
    if (data) toast(data.requestVerification.message)
  }
  const signOut = async () => {
    await client.mutation(LogOutDocument, {})
    location.assign('/app/sign-in')
  }
  return (
    <Outside
      title="Confirm your address"
      lead={`Open the link in our email to ${email} in this browser, then go on here. If there is none, or it is older than a day, let us send one.`}
    >
      {problem && <ProblemNote problem={problem} />}
      <div className="actions">
        <Button kind="primary" onClick={refresh}>
          I have confirmed it
        </Button>
        <Button busy={busy} onClick={again}>
          Send the email
        </Button>
        <Button kind="quiet" onClick={signOut}>
          Sign out
        </Button>
      </div>
    </Outside>
  )
}
