import { number } from '../../data/format.ts'
import { useRead } from '../../data/read.ts'
import { RunningJobsDocument } from '../../graphql/graphql.ts'
import { Button } from '../../parts/button.tsx'
import { Note } from '../../parts/state.tsx'

/** Says that contacts are being imported or changed, also by somebody else, and leads to it. */
export function Underway({ onWatch }: { onWatch(id: string): void }) {
  const [{ data }] = useRead({ query: RunningJobsDocument, variables: { kinds: ['IMPORT', 'BULK'] }, requestPolicy: 'network-only' })
  const [job, ...others] = data?.jobs.nodes ?? []
  if (!job) return null
  return (
    <Note>
      <p>
        Contacts are being {job.kind === 'IMPORT' ? 'imported' : 'changed'}
        {others.length > 0 && `, and ${number(others.length)} more ${others.length === 1 ? 'job waits or runs' : 'jobs wait or run'}`}.
      </p>
      <Button onClick={() => onWatch(job.id)}>Watch it</Button>
    </Note>
  )
}
