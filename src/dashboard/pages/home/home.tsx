import { useQuery } from 'urql'
import { problemOf } from '../../data/failures.ts'
import type { LiveItem } from '../../data/live.ts'
import { useLiveRefresh, useProject } from '../../data/project.tsx'
import { HomeDocument } from '../../graphql/graphql.ts'
import { Page } from '../../parts/page.tsx'
import { Loading, ProblemNote } from '../../parts/state.tsx'
import { SetUp } from './set-up.tsx'

/** The first page of a project: what is left to set up. */
export function Home() {
  const { name } = useProject()
  const [{ data, error }, ask] = useQuery({ query: HomeDocument })
  const again = () => ask({ requestPolicy: 'network-only' })
  useLiveRefresh(concernsSetUp, again)
  return (
    <Page title={name}>
      {error && <ProblemNote problem={problemOf(error)} onRetry={again} />}
      {data ? <SetUp state={data.project.setupState} /> : !error && <Loading />}
    </Page>
  )
}

const concernsSetUp = ({ type }: LiveItem) => /^(CAMPAIGN|WORKFLOW|EVENT|CONTACT)_/.test(type)
