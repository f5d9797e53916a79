import { number } from '../../data/format.ts'
import type { CampaignCountsFragment } from '../../graphql/graphql.ts'

type Counts = Pick<CampaignCountsFragment, 'totalRecipients' | 'waitingCount' | 'cancelledCount'>

/** How many of the emails have an end: they left, failed or were withheld. */
export function doneOf({ totalRecipients, waitingCount, cancelledCount }: Counts): number {
  return totalRecipients - waitingCount - cancelledCount
}

/** How much of a campaign is done, as a bar and in figures. */
export function Progress({ label, stats }: { label: string; stats: Counts }) {
  const { totalRecipients } = stats
  if (totalRecipients === 0) return <span className="muted">–</span>
  const done = doneOf(stats)
  return (
    <div className="progress">
      <progress aria-label={label} value={done} max={totalRecipients} />
      <span>
        {number(done)} of {number(totalRecipients)}
      </span>
    </div>
  )
}
