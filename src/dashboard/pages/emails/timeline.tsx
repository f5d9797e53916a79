import { moment } from '../../data/format.ts'
import { Empty } from '../../parts/state.tsx'
import { TabBody } from '../../parts/tabs.tsx'
import type { FoundEmail } from './found-email.ts'

const titles: Record<string, string> = {
  'email.sent': 'Sent',
  'email.delivery': 'Delivered',
  'email.open': 'Opened',
  'email.click': 'Clicked',
  'email.bounce': 'Bounced',
  'email.complaint': 'Reported as spam',
  'email.received': 'Received',
  'email.failed': 'Failed',
  'email.copy.failed': 'Copy not sent',
  'workflow.email.scheduled': 'Scheduled by a workflow',
}

// What the servers said, and who did it: shown in this order.
const facts = ['copy', 'link', 'bounceType', 'code', 'response', 'reason', 'diagnostic', 'botReason', 'userAgent'] as const

/** What happened to an email, oldest first. */
export function Timeline({ email: { events, createdAt } }: { email: FoundEmail }) {
  return (
    <TabBody label="Timeline">
      <ol className="timeline">
        <li>
          <Moment at={createdAt} title="Accepted" />
        </li>
        {events.map(({ id, name, createdAt: at, data }) => (
          <li key={id}>
            <Moment at={at} title={titles[name] ?? name} />
            <Said data={data} />
          </li>
        ))}
      </ol>
      {events.length === 0 && <Empty icon="send" title="It has not left yet" />}
    </TabBody>
  )
}

function Moment({ at, title }: { at: string; title: string }) {
  return (
    <p>
      <strong>{title}</strong>{' '}
      <time className="muted" dateTime={at}>
        {moment(at)}
      </time>
    </p>
  )
}

function Said({ data }: { data: unknown }) {
  const known = (typeof data === 'object' && data !== null ? data : {}) as Record<string, unknown>
  const said = facts.flatMap((name) => (typeof known[name] === 'string' && known[name] !== '' ? [String(known[name])] : []))
  if (known.bot === true) said.unshift('By a program, not a person')
  return said.map((text) => (
    <p key={text} className="muted">
      {text}
    </p>
  ))
}
