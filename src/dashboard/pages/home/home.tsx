import { useState } from 'react'
import { problemOf } from '../../data/failures.ts'
import { useLiveRefresh, useProject } from '../../data/project.tsx'
import { useRead } from '../../data/read.ts'
import { HomeDocument } from '../../graphql/graphql.ts'
import { Page } from '../../parts/page.tsx'
import { Loading, ProblemNote } from '../../parts/state.tsx'
import { Tiles } from '../../parts/tiles.tsx'
import { LastActivity } from './last-activity.tsx'
import { Reputation } from './reputation.tsx'
import { SetUp } from './set-up.tsx'

/** The first page of a project: what is left to set up, how the last 30 days were, the reputation, and what happens. */
export function Home() {
  const { name } = useProject()
  const [variables] = useState(lastDays)
  const [{ data, error }, ask] = useRead({ query: HomeDocument, variables })
  const again = () => ask({ requestPolicy: 'network-only' })
  useLiveRefresh(() => true, again)
  return (
    <Page title={name}>
      {error && <ProblemNote problem={problemOf(error)} onRetry={again} />}
      {!data && !error && <Loading rows={6} />}
      {data && (
        <>
          <SetUp state={data.project.setupState} />
          <Tiles title="Last 30 days" before="the 30 before" totals={data.emailTotals} />
          <div className="beside">
            <LastActivity />
            <Reputation security={data.project.security} />
          </div>
        </>
      )}
    </Page>
  )
}

const dayMs = 86_400_000

// Today and the 29 days before, in UTC as the API counts.
function lastDays(): { startDate: string; endDate: string } {
  const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)
  return { startDate: dayOf(Date.now() - 29 * dayMs), endDate: dayOf(Date.now()) }
}
