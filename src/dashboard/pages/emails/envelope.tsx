import { Link } from '@tanstack/react-router'
import { moment, number, words } from '../../data/format.ts'
import { useProject } from '../../data/project.tsx'
import { Copyable, Facts } from '../../parts/facts.tsx'
import { Section } from '../../parts/page.tsx'
import type { FoundEmail } from './found-email.ts'

const named = (email: string | null | undefined, name: string | null | undefined) => email && (name ? `${name} <${email}>` : email)
const all = (people: FoundEmail['cc']) => people.map(({ email, name }) => named(email, name)).join(', ')
const counted = (people: number, machines: number) => `${number(people)}${machines > 0 ? `, ${number(machines)} of them by programs` : ''}`

/** From whom it is to whom, and where it comes from. */
export function Envelope({ email }: { email: FoundEmail }) {
  const { id: project } = useProject()
  return (
    <Section title="Details">
      <Facts
        rows={[
          ['To', named(email.to, email.toName)],
          ['Cc', all(email.cc)],
          ['Bcc', all(email.bcc)],
          ['From', named(email.from, email.fromName)],
          ['Reply to', email.replyTo],
          [
            'Contact',
            <Link key="contact" to="/$project/activity" params={{ project }} search={{ contact: email.contact.id }}>
              {email.contact.email}
            </Link>,
          ],
          ['Type', email.type && words(email.type)],
          ['Sent by', words(email.source)],
          [
            'Campaign',
            email.campaign && (
              <Link to="/$project/activity" params={{ project }} search={{ campaign: email.campaign.id }}>
                {email.campaign.name}
              </Link>
            ),
          ],
          ['Template', email.template?.name],
          [
            'Workflow',
            email.execution?.workflow && (
              <Link
                to="/$project/workflows/$workflow/executions/$execution"
                params={{ project, workflow: email.execution.workflow.id, execution: email.execution.id }}
              >
                {email.execution.workflow.name}
              </Link>
            ),
          ],
          ['Tags', email.tags.join(', ')],
          ['Opens', counted(email.opens, email.machineOpens)],
          ['Clicks', counted(email.clicks, email.machineClicks)],
          ['Attempts', number(email.attempts)],
          ['Created', moment(email.createdAt)],
          ['Sent', email.sentAt && moment(email.sentAt)],
          ['Id', <Copyable key="id" text={email.id} what="Id" />],
        ]}
      />
    </Section>
  )
}
