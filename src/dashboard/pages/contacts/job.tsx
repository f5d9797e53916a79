import { useAction } from '../../data/action.ts'
import { number, words } from '../../data/format.ts'
import { hasEnded, type Job, useJob } from '../../data/jobs.ts'
import { CancelJobDocument } from '../../graphql/graphql.ts'
import { Button, IconButton } from '../../parts/button.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Progress } from '../../parts/progress.tsx'
import { RowErrors } from '../../parts/row-errors.tsx'
import { Badge, Loading, Note, ProblemNote, type Tone } from '../../parts/state.tsx'

const tones: Record<Job['state'], Tone> = { WAITING: 'neutral', ACTIVE: 'info', COMPLETED: 'good', FAILED: 'bad', CANCELLED: 'warn' }

/** A job that is watched: how far it is, and what it has done. */
export function JobNote({ id, onEnd, onClose }: { id: string; onEnd?: () => void; onClose?: () => void }) {
  const { job, problem } = useJob(id, onEnd)
  if (problem) return <ProblemNote problem={problem} />
  if (job === undefined) return <Loading rows={2} />
  if (job === null) return <Note>This job has ended more than 7 days ago, or never existed.</Note>
  const title = titleOf(job)
  return (
    <section className="card" aria-label={title}>
      <header className="card-head">
        <h2>{title}</h2>
        <div className="actions">
          <span role="status">
            <Badge tone={tones[job.state]}>{words(job.state)}</Badge>
          </span>
          {!hasEnded(job) && <Cancel id={id} />}
          {hasEnded(job) && onClose && <IconButton icon="close" label="Close" onClick={onClose} />}
        </div>
      </header>
      {!hasEnded(job) && <Underway job={job} title={title} />}
      {job.failedReason && <Note kind="warn">{job.failedReason}</Note>}
      {job.state === 'CANCELLED' && <p>What was done before stays: {number(job.done)} in all.</p>}
      <Result job={job} />
    </section>
  )
}

function titleOf({ kind, operation }: Job): string {
  if (kind === 'IMPORT') return 'Import of contacts'
  return operation ? `${words(operation)} contacts` : 'Change of contacts'
}

function Underway({ job, title }: { job: Job; title: string }) {
  return (
    <>
      <Progress label={title} percent={job.state === 'WAITING' ? undefined : job.progress} />
      <p className="muted">
        {job.state === 'WAITING'
          ? 'It begins in a moment.'
          : `${number(job.done)}${job.total === null ? '' : ` of ${number(job.total)}`} done, ${job.progress} %`}
      </p>
    </>
  )
}

function Cancel({ id }: { id: string }) {
  const { run, busy, problem } = useAction(CancelJobDocument)
  return (
    <>
      {problem && <span className="field-problem">{problem.message}</span>}
      <Button busy={busy} onClick={() => run({ input: { id } })}>
        Stop
      </Button>
    </>
  )
}

function Result({ job: { bulkResult, importResult } }: { job: Job }) {
  if (importResult)
    return (
      <>
        <Facts
          rows={[
            ['Rows', number(importResult.totalRows)],
            ['Created', number(importResult.createdCount)],
            ['Updated', number(importResult.updatedCount)],
            ['Not imported', number(importResult.failureCount)],
          ]}
        />
        <RowErrors errors={importResult.errors} omitted={importResult.errorsOmitted} />
      </>
    )
  if (!bulkResult) return null
  return (
    <Facts
      rows={[
        [bulkResult.operation === 'DELETE' ? 'Deleted' : 'Changed', number(bulkResult.successCount)],
        ['As they should be already', bulkResult.unchangedCount > 0 ? number(bulkResult.unchangedCount) : null],
        ['Not found any more', bulkResult.failureCount > 0 ? number(bulkResult.failureCount) : null],
      ]}
    />
  )
}
