import { number, percent } from '../../../data/format.ts'
import type { CampaignCountsFragment } from '../../../graphql/graphql.ts'
import { Facts } from '../../../parts/facts.tsx'
import { Section } from '../../../parts/page.tsx'

/** The figures of a campaign: what people did, and apart from that what machines did. */
export function Figures({ stats }: { stats: CampaignCountsFragment }) {
  const tiles: [name: string, count: number, rate?: number][] = [
    ['Recipients', stats.totalRecipients],
    ['Sent', stats.sentCount],
    ['Delivered', stats.deliveredCount, stats.deliveryRate],
    ['Opened', stats.openedCount, stats.openRate],
    ['Clicked', stats.clickedCount, stats.clickRate],
    ['Bounced', stats.bouncedCount, stats.bounceRate],
    ['Complaints', stats.complainedCount, stats.complaintRate],
    ['Unsubscribed', stats.unsubscribedCount, stats.unsubscribeRate],
    ['Failed', stats.failedCount],
    ['Withheld', stats.suppressedCount],
  ]
  if (stats.cancelledCount > 0) tiles.push(['Cancelled', stats.cancelledCount])
  return (
    <>
      <dl className="figures" aria-label="Figures">
        {tiles.map(([name, count, rate]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <span className="figure">{number(count)}</span>
              {rate !== undefined && <span className="muted"> {percent(rate)}</span>}
            </dd>
          </div>
        ))}
      </dl>
      <Section title="By machines, not counted above">
        <p className="muted">Mail scanners and privacy services open emails and follow links too. Nobody has read these.</p>
        <Facts
          rows={[
            ['Opened by machines', `${number(stats.machineOpens)} times`],
            ['Clicked by machines', `${number(stats.machineClicks)} times`],
          ]}
        />
      </Section>
    </>
  )
}
