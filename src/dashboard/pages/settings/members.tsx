import { useRef, useState } from 'react'
import { useAction } from '../../data/action.ts'
import { problemOf } from '../../data/failures.ts'
import { words } from '../../data/format.ts'
import { leaveTo } from '../../data/once.ts'
import { useIsAdmin } from '../../data/project.tsx'
import { useRead } from '../../data/read.ts'
import { useViewer } from '../../data/session.tsx'
import {
  MembersDocument,
  type MembersQuery,
  RemoveMemberDocument,
  RevokeInvitationDocument,
  type Role,
  UpdateMemberDocument,
} from '../../graphql/graphql.ts'
import { Address } from '../../parts/address.tsx'
import { Button } from '../../parts/button.tsx'
import { ConfirmDialog } from '../../parts/dialog.tsx'
import { Time } from '../../parts/facts.tsx'
import { Section } from '../../parts/page.tsx'
import { Loading, ProblemNote } from '../../parts/state.tsx'
import { toast } from '../../parts/toast.tsx'
import { Invite } from './invite.tsx'
import { roles } from './roles.ts'

type Project = MembersQuery['project']

/** Who is a member, who is invited, and inviting others. */
export function Members() {
  const [{ data, error }, ask] = useRead({ query: MembersDocument })
  const isAdmin = useIsAdmin()
  if (error) return <ProblemNote problem={problemOf(error)} onRetry={() => ask({ requestPolicy: 'network-only' })} />
  if (!data) return <Loading rows={6} />
  const { members, invitations } = data.project
  return (
    <>
      <Section title={`Members (${members.totalCount})`}>
        <ul className="rows">
          {members.nodes.map((member) => (
            <Member key={member.userId} member={member} />
          ))}
        </ul>
        {members.totalCount > members.nodes.length && <p className="muted">The first 100 are listed.</p>}
      </Section>
      {invitations.length > 0 && <Invitations invitations={invitations} />}
      {isAdmin && <Invite />}
    </>
  )
}

function Member({ member: { userId, email, role } }: { member: Project['members']['nodes'][number] }) {
  const isAdmin = useIsAdmin()
  const isMe = useViewer().id === userId
  const { run, busy, problem } = useAction(UpdateMemberDocument)
  const before = useRef<Promise<unknown>>(Promise.resolve())
  const store = async (next: Role) => {
    if (await run({ input: { userId, role: next } })) toast(`${email} is ${words(next).toLowerCase()} now`)
  }
  // One after the other, so that what was chosen last is what is stored.
  const change = (next: Role) => {
    before.current = before.current.then(() => store(next))
  }
  return (
    <li>
      <div className="row">
        <span className="cut">
          <Address of={email} /> {isMe && <span className="muted">(you)</span>}
        </span>
        {isAdmin ? (
          <select
            className="input inline"
            aria-label={`Role of ${email}`}
            value={role}
            aria-busy={busy}
            onChange={(event) => change(event.target.value as Role)}
          >
            {roles.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        ) : (
          <span className="muted">{words(role)}</span>
        )}
        {(isAdmin || isMe) && <Remove userId={userId} email={email} isMe={isMe} />}
      </div>
      {problem && <ProblemNote problem={problem} />}
    </li>
  )
}

function Remove({ userId, email, isMe }: { userId: string; email: string; isMe: boolean }) {
  const [open, setOpen] = useState(false)
  const { run, problem } = useAction(RemoveMemberDocument, 'Project')
  const remove = async () => {
    if (!(await run({ input: { userId } }))) return
    // Nothing of the project may be shown any more.
    if (isMe) return leaveTo('/app/')
    setOpen(false)
    toast(`${email} is no member any more`)
  }
  return (
    <>
      <Button kind="quiet" onClick={() => setOpen(true)} aria-label={isMe ? 'Leave this project' : `Remove ${email}`}>
        {isMe ? 'Leave' : 'Remove'}
      </Button>
      <ConfirmDialog
        title={isMe ? 'Leave this project?' : `Remove ${email}?`}
        verb={isMe ? 'Leave' : 'Remove'}
        open={open}
        onClose={() => setOpen(false)}
        problem={problem}
        onConfirm={remove}
      >
        {isMe ? 'You see nothing of it any more, until somebody invites you again.' : 'They see nothing of this project any more, at once.'}
      </ConfirmDialog>
    </>
  )
}

function Invitations({ invitations }: Pick<Project, 'invitations'>) {
  const isAdmin = useIsAdmin()
  const { run, problem } = useAction(RevokeInvitationDocument, 'Project')
  const revoke = async (id: string, email: string) => {
    if (await run({ input: { id } })) toast(`The invitation of ${email} is revoked`)
  }
  return (
    <Section title={`Invited (${invitations.length})`}>
      {problem && <ProblemNote problem={problem} />}
      <ul className="rows">
        {invitations.map(({ id, email, role, expiresAt }) => (
          <li key={id} className="row">
            <span className="cut">{email}</span>
            <span className="muted">
              {words(role)}, expires <Time at={expiresAt} relative />
            </span>
            {isAdmin && (
              <Button kind="quiet" onClick={() => revoke(id, email)} aria-label={`Revoke the invitation of ${email}`}>
                Revoke
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Section>
  )
}
