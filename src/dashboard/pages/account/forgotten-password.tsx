import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useAction } from '../../data/action.ts'
import { problemWith } from '../../data/failures.ts'
import { useSession } from '../../data/session.tsx'
import { RequestPasswordResetDocument } from '../../graphql/graphql.ts'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/field.tsx'
import { Form } from '../../parts/form.tsx'
import { Note } from '../../parts/state.tsx'
import { Outside } from './outside.tsx'

/** Leads to a new password: by email, or by whoever runs an installation that sends none of its own. */
export function ForgottenPassword() {
  const { accountEmailsEnabled } = useSession().config
  const lead = accountEmailsEnabled
    ? 'We email you a link with which you choose a new one.'
    : 'This installation sends no emails of its own, so it cannot send you a link: ask whoever runs it.'
  return (
    <Outside title="Forgotten password" lead={lead}>
      {accountEmailsEnabled && <LinkRequest />}
      <p className="links">
        <Link to="/sign-in">Back to signing in</Link>
      </p>
    </Outside>
  )
}

// The answer does not say whether the address has an account.
function LinkRequest() {
  const { run, busy, problem } = useAction(RequestPasswordResetDocument)
  const [sent, setSent] = useState<string | null>(null)
  const submit = async ({ email = '' }: Record<string, string>) => {
    const data = await run({ input: { email } })
    setSent(data?.requestPasswordReset.message ?? null)
  }
  return (
    <>
      <div role="status">{sent && <Note kind="good">{sent}</Note>}</div>
      <Form isDisposable onSubmit={submit} problem={problem} fields={['email']}>
        <TextField
          label="Email address"
          name="email"
          type="email"
          autoComplete="username"
          required
          problem={problemWith(problem, 'email')}
        />
        <Button kind="primary" type="submit" busy={busy}>
          Email me a link
        </Button>
      </Form>
    </>
  )
}
