import { useState } from 'react'
import { useAction } from '../../data/action.ts'
import { problemOf, problemWith } from '../../data/failures.ts'
import { leaveTo } from '../../data/once.ts'
import { useRead } from '../../data/read.ts'
import { useSession, useViewer } from '../../data/session.tsx'
import {
  ChangePasswordDocument,
  DeleteAccountDocument,
  EndSessionDocument,
  RequestVerificationDocument,
  SessionsDocument,
  type SessionsQuery,
} from '../../graphql/graphql.ts'
import { Button } from '../../parts/button.tsx'
import { ConfirmDialog } from '../../parts/dialog.tsx'
import { Facts, Time } from '../../parts/facts.tsx'
import { TextField } from '../../parts/field.tsx'
import { Form } from '../../parts/form.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { Badge, Loading, ProblemNote } from '../../parts/state.tsx'
import { toast } from '../../parts/toast.tsx'
import { forgetAll } from '../../parts/unsaved/unsaved.ts'
import { Invitations } from './invitations.tsx'

/** A person's own account: address, password, where they are signed in, invitations, and its end. */
export function Account() {
  const { invitations } = useViewer()
  return (
    <Page title="Account" narrow>
      <Address />
      {invitations.length > 0 && <Invitations />}
      <Password />
      <Sessions />
      <End />
    </Page>
  )
}

function Address() {
  const { email, emailVerified } = useViewer()
  // Without emails of the installation nobody can confirm an address, and nobody has to.
  const { accountEmailsEnabled } = useSession().config
  const { run, busy, problem } = useAction(RequestVerificationDocument)
  const send = async () => {
    const data = await run({})
    if (data) toast(data.requestVerification.message)
  }
  return (
    <Section
      title="Address"
      actions={
        (emailVerified || accountEmailsEnabled) && (
          <Badge tone={emailVerified ? 'good' : 'warn'}>{emailVerified ? 'Confirmed' : 'Not confirmed'}</Badge>
        )
      }
    >
      <Facts rows={[['Email address', email]]} />
      {problem && <ProblemNote problem={problem} />}
      {!emailVerified && accountEmailsEnabled && (
        <div className="actions">
          <Button busy={busy} onClick={send}>
            Email me a link to confirm it
          </Button>
        </div>
      )}
    </Section>
  )
}

function Password() {
  const { run, busy, problem } = useAction(ChangePasswordDocument)
  const change = async ({ currentPassword = '', newPassword = '' }: Record<string, string>) => {
    // All sessions have ended, this one too.
    if (await run({ input: { currentPassword, newPassword } })) return leaveTo('/app/sign-in?next=/account')
  }
  return (
    <Section title="Password">
      <Form onSubmit={change} problem={problem} fields={['currentPassword', 'newPassword']} className="limited">
        <TextField
          label="Present password"
          name="currentPassword"
          type="password"
          autoComplete="current-password"
          problem={problemWith(problem, 'currentPassword')}
        />
        <TextField
          label="New password"
          name="newPassword"
          type="password"
          autoComplete="new-password"
          hint="8 to 200 characters. It ends all your sessions, this one too."
          problem={problemWith(problem, 'newPassword')}
        />
        <div className="actions">
          <Button type="submit" busy={busy}>
            Change the password
          </Button>
        </div>
      </Form>
    </Section>
  )
}

function Sessions() {
  const [{ data, error }, ask] = useRead({ query: SessionsDocument })
  const sessions = data?.viewer?.sessions ?? []
  return (
    <Section title="Where you are signed in">
      {error && <ProblemNote problem={problemOf(error)} onRetry={() => ask({ requestPolicy: 'network-only' })} />}
      {!data && !error && <Loading />}
      <ul className="rows">
        {sessions.map((session) => (
          <OneSession key={session.id} session={session} />
        ))}
      </ul>
    </Section>
  )
}

function OneSession({
  session: { id, address, userAgent, seenAt, current },
}: {
  session: NonNullable<SessionsQuery['viewer']>['sessions'][number]
}) {
  const { run, busy, problem } = useAction(EndSessionDocument, 'User')
  const end = async () => {
    if (await run({ input: { id } })) toast('The session is ended')
  }
  return (
    <li>
      <div className="row">
        <span>
          {userAgent ?? 'An unknown program'}
          <br />
          <span className="muted">
            {address ?? 'An unknown address'}, seen <Time at={seenAt} relative />
          </span>
        </span>
        {current ? (
          <Badge tone="info">This one</Badge>
        ) : (
          <Button kind="quiet" busy={busy} onClick={end} aria-label={`End the session at ${address ?? 'an unknown address'}`}>
            End
          </Button>
        )}
      </div>
      {problem && <ProblemNote problem={problem} />}
    </li>
  )
}

function End() {
  const [open, setOpen] = useState(false)
  const { email } = useViewer()
  const { run, problem, reset } = useAction(DeleteAccountDocument)
  const close = () => {
    setOpen(false)
    reset()
  }
  const remove = async () => {
    if (!(await run({}))) return
    forgetAll()
    return leaveTo('/app/sign-in')
  }
  return (
    <Section title="Delete your account">
      <p className="muted">Projects of which you are the last owner must be deleted, or given another owner, before.</p>
      <div className="actions">
        <Button kind="danger" onClick={() => setOpen(true)}>
          Delete my account
        </Button>
      </div>
      <ConfirmDialog
        title="Delete your account?"
        verb="Delete it"
        typed={email}
        open={open}
        onClose={close}
        problem={problem}
        onConfirm={remove}
      >
        You lose all your memberships. It cannot be undone.
      </ConfirmDialog>
    </Section>
  )
}
