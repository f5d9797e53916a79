import { useAction } from '../data/action.ts'
import { problemWith } from '../data/failures.ts'
import { leaveToSignIn, useSession, useViewer } from '../data/session.tsx'
import { LogInDocument } from '../graphql/graphql.ts'
import { Button } from '../parts/button.tsx'
import { CloseButton, Dialog } from '../parts/dialog.tsx'
import { TextField } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { mayLeaveAll } from '../parts/unsaved/unsaved.ts'

/** Asks somebody whose session has ended to sign in again, over the page, which keeps what they have typed; whoever closes it leaves. */
export function SessionEnded() {
  const { refresh, state } = useSession()
  const { email } = useViewer()
  const { run, busy, problem } = useAction(LogInDocument)
  const submit = async ({ password = '' }: Record<string, string>) => {
    if (await run({ input: { email, password } })) refresh()
  }
  const leave = async () => {
    if (await mayLeaveAll()) leaveToSignIn()
  }
  return (
    <Dialog open={state === 'ended'} onClose={() => void leave()} title="Your session has ended">
      <Form isDisposable onSubmit={submit} problem={problem} fields={['password']}>
        <p>
          Sign in again as <strong>{email}</strong> to go on where you were. Without a password,{' '}
          <a href="/app/sign-in" target="_blank" rel="noreferrer">
            sign in in another tab
          </a>
          , and come back.
        </p>
        <TextField
          label="Password"
          name="password"
          type="password"
          autoComplete="current-password"
          required
          problem={problemWith(problem, 'password')}
        />
        <div className="actions end">
          <CloseButton>Leave</CloseButton>
          <Button kind="primary" type="submit" busy={busy}>
            Sign in
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
