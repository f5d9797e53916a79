import { Link, useSearch } from '@tanstack/react-router'
import { useAction } from '../../data/action.ts'
import { problemWith } from '../../data/failures.ts'
import { useSession } from '../../data/session.tsx'
import { LogInDocument } from '../../graphql/graphql.ts'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/field.tsx'
import { Form } from '../../parts/form.tsx'
import { Outside, useLeaveOnceSignedIn } from './outside.tsx'
import { Providers } from './providers.tsx'

/** Signing in by password, or with another service. */
export function SignIn() {
  const { next } = useSearch({ from: '/sign-in' })
  const { refresh, config } = useSession()
  const { run, busy, problem } = useAction(LogInDocument)
  useLeaveOnceSignedIn(next)
  const submit = async ({ email = '', password = '' }: Record<string, string>) => {
    if (await run({ input: { email, password } })) refresh()
  }
  return (
    <Outside title="Sign in">
      <Providers />
      <Form isDisposable onSubmit={submit} problem={problem} fields={['email', 'password']}>
        <TextField
          label="Email address"
          name="email"
          type="email"
          autoComplete="username"
          required
          problem={problemWith(problem, 'email')}
        />
        <TextField
          label="Password"
          name="password"
          type="password"
          autoComplete="current-password"
          required
          problem={problemWith(problem, 'password')}
        />
        <Button kind="primary" type="submit" busy={busy}>
          Sign in
        </Button>
      </Form>
      <p className="links">
        <Link to="/forgotten-password">Forgotten your password?</Link>
        {config.signupsEnabled && (
          <Link to="/sign-up" search={{ next }}>
            Create an account
          </Link>
        )}
      </p>
    </Outside>
  )
}
