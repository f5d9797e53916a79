import { useState } from 'react'
import { useAction } from '../../data/action.ts'
import { problemWith } from '../../data/failures.ts'
import { InviteMemberDocument, type Role } from '../../graphql/graphql.ts'
import { Button } from '../../parts/button.tsx'
import { Copyable } from '../../parts/facts.tsx'
import { SelectField, TextField } from '../../parts/field.tsx'
import { Form } from '../../parts/form.tsx'
import { Section } from '../../parts/page.tsx'
import { Note } from '../../parts/state.tsx'
import { toast } from '../../parts/toast.tsx'
import { roles } from './roles.ts'

/** Invites somebody. Where the installation cannot email the link itself, it is shown, to be passed on. */
export function Invite() {
  const { run, busy, problem } = useAction(InviteMemberDocument, 'Project')
  const [link, setLink] = useState<string | null>(null)
  const invite = async ({ email = '', role = 'MEMBER' }: Record<string, string>) => {
    const data = await run({ input: { email, role: role as Role } })
    if (!data) return
    setLink(data.inviteMember.invitationUrl ?? null)
    toast(`${data.inviteMember.invitation.email} is invited`)
  }
  return (
    <Section title="Invite somebody">
      <Form onSubmit={invite} problem={problem} fields={['email', 'role']} className="limited">
        <TextField label="Email address" name="email" type="email" autoComplete="off" problem={problemWith(problem, 'email')} />
        <SelectField
          label="Role"
          name="role"
          options={roles}
          hint="Members do everything but settings, keys, members, domains and billing. Only owners make owners."
          problem={problemWith(problem, 'role')}
        />
        <div className="actions">
          <Button kind="primary" type="submit" busy={busy}>
            Invite
          </Button>
        </div>
      </Form>
      {link && (
        <Note>
          <p>This installation sends no email of its own: pass this link on.</p>
          <Copyable text={link} what="Link" />
        </Note>
      )}
    </Section>
  )
}
