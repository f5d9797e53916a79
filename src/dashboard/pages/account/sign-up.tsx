import { Link, useSearch } from '@tanstack/react-router'
import { useAction } from '../../data/action.ts'
import { problemWith } from '../../data/failures.ts'
import { useSession } from '../../data/session.tsx'
import { SignUpDocument } from '../../graphql/graphql.ts'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/field.tsx'
import { Form } from '../../parts/form.tsx'
import { Note } from '../../parts/state.tsx'
import { Outside, useLeaveOnceSignedIn } from './outside.tsx'
import { Providers } from './providers.tsx'

/** A new account, where this installation accepts them. */
export function SignUp() {
  const { next } = useSearch({ from: '/sign-up' })
  const { refresh, config } = useSession()
  const { run, busy, problem } = useAction(SignUpDocument)
  useLeaveOnceSignedIn(next)
  const submit = async ({ email = '', password = '' }: Record<string, string>) => {
    if (await run({ input: { email, password } })) refresh()
  }
  const signIn = (
    <p className="links">
      <Link to="/sign-in" search={{ next }}>
        I have an account
      </Link>
    </p>
  )
  if (!config.signupsEnabled)
    return (
      <Outside title="Create an account">
        <Note>This installation accepts no new accounts. Ask somebody in it to invite you.</Note>
        {signIn}
      </Outside>
    )
  return (
    <Outside title="Create an account">
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
          autoComplete="new-password"
          required
          hint="8 to 200 characters"
          problem={problemWith(problem, 'password')}
        />
        <Button kind="primary" type="submit" busy={busy}>
          Create the account
        </Button>
      </Form>
      {signIn}
    </Outside>
  )
}
