import { number, percent } from '../../data/format.ts'
import type { HomeQuery, ReputationLevel } from '../../graphql/graphql.ts'
import { Facts } from '../../parts/facts.tsx'
import { Section } from '../../parts/page.tsx'
import { Badge, type Tone } from '../../parts/state.tsx'

const ranks: ReputationLevel[] = ['HEALTHY', 'WARNING', 'CRITICAL']
const shown: Record<ReputationLevel, { label: string; tone: Tone }> = {
  HEALTHY: { label: 'Healthy', tone: 'good' },
  WARNING: { label: 'Watch', tone: 'warn' },
  CRITICAL: { label: 'Critical', tone: 'bad' },
}

/** What mailbox providers think of the project, as far as bounces and complaints tell, with the reason. */
export function Reputation({ security: { levels, status } }: { security: HomeQuery['project']['security'] }) {
  const { bounce7Day, bounceAllTime, complaint7Day, complaintAllTime } = levels
  const worst = Math.max(...[bounce7Day, bounceAllTime, complaint7Day, complaintAllTime].map((level) => ranks.indexOf(level)))
  const { label, tone } = shown[ranks[worst] ?? 'HEALTHY']
  const { total, bounceRate, complaintRate } = status.sevenDay
  const reasons = [...status.violations, ...status.warnings]
  return (
    <Section title="Reputation" actions={<Badge tone={tone}>{label}</Badge>}>
      {reasons.length > 0 ? (
        <ul className="reasons">
          {reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      ) : (
        <p className="muted">Bounces and complaints are within what mailbox providers accept.</p>
      )}
      <Facts
        rows={[
          ['Emails in 7 days', number(total)],
          ['Bounced', percent(bounceRate)],
          ['Complaints', percent(complaintRate)],
        ]}
      />
    </Section>
  )
}
