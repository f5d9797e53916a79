import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useAction } from '../../data/action.ts'
import { problemOf, problemWith } from '../../data/failures.ts'
import { number } from '../../data/format.ts'
import { useProject } from '../../data/project.tsx'
import { useRead } from '../../data/read.ts'
import { ComputeSegmentDocument, DeleteSegmentDocument, SegmentUsageDocument, UpdateSegmentDocument } from '../../graphql/graphql.ts'
import { Button } from '../../parts/button.tsx'
import { ConfirmDialog } from '../../parts/dialog.tsx'
import { Copyable, Facts, Time } from '../../parts/facts.tsx'
import { CheckField, TextField } from '../../parts/field.tsx'
import { Form } from '../../parts/form.tsx'
import { Section } from '../../parts/page.tsx'
import { Loading, Note, ProblemNote } from '../../parts/state.tsx'
import { toast } from '../../parts/toast.tsx'
import type { FoundSegment } from './found.ts'
import { Uses } from './uses.tsx'

interface Props {
  segment: FoundSegment
  onSaved(): void
}

/** The name of a segment, whether its members are tracked, what uses it, and its deletion. */
export function Settings({ segment, onSaved }: Props) {
  return (
    <>
      <Names segment={segment} onSaved={onSaved} />
      {segment.type === 'DYNAMIC' && segment.trackMembership && <Tracking segment={segment} onSaved={onSaved} />}
      <Deletion segment={segment} />
    </>
  )
}

function Names({ segment, onSaved }: Props) {
  const { run, busy, problem } = useAction(UpdateSegmentDocument)
  const save = async ({ name = '', description = '', track }: Record<string, string>) => {
    const input = {
      id: segment.id,
      name,
      description: description.trim() === '' ? null : description,
      ...(segment.type === 'DYNAMIC' && { trackMembership: track === 'on' }),
    }
    if (!(await run({ input }))) return
    toast('Saved')
    onSaved()
  }
  return (
    <Section title="Segment">
      <Form onSubmit={save} problem={problem} fields={['name', 'description']} label="Settings of the segment">
        <TextField
          label="Name"
          name="name"
          required
          maxLength={100}
          autoComplete="off"
          defaultValue={segment.name}
          problem={problemWith(problem, 'name')}
        />
        <TextField
          label="Description"
          name="description"
          autoComplete="off"
          defaultValue={segment.description ?? ''}
          problem={problemWith(problem, 'description')}
        />
        {segment.type === 'DYNAMIC' && (
          <CheckField
            label="Track who enters and leaves"
            name="track"
            defaultChecked={segment.trackMembership}
            hint="Members are computed every 5 minutes, and entering and leaving are events that workflows can start with."
          />
        )}
        <div className="actions">
          <Button kind="primary" type="submit" busy={busy}>
            Save
          </Button>
        </div>
      </Form>
      <Facts
        rows={[
          ['Created', <Time key="created" at={segment.createdAt} />],
          ['Changed', <Time key="changed" at={segment.updatedAt} />],
          ['Id', <Copyable key="id" text={segment.id} what="Id" />],
          ['Event of who enters', <Copyable key="entry" text={segment.entryEvent} what="Event of who enters" />],
          ['Event of who leaves', <Copyable key="exit" text={segment.exitEvent} what="Event of who leaves" />],
        ]}
      />
    </Section>
  )
}

function Tracking({ segment, onSaved }: Props) {
  const { run, busy, problem } = useAction(ComputeSegmentDocument)
  const compute = async () => {
    const data = await run({ input: { id: segment.id } })
    if (!data) return
    const { added, removed, total } = data.computeSegment
    toast(`${number(total)} members`, `${number(added)} have entered, ${number(removed)} have left.`)
    onSaved()
  }
  return (
    <Section
      title="Tracking"
      actions={
        <Button icon="refresh" busy={busy} onClick={compute}>
          Compute now
        </Button>
      }
    >
      {problem && <ProblemNote problem={problem} />}
      <p className="muted">The members are computed every 5 minutes by themselves; who enters and leaves is on the activity page.</p>
    </Section>
  )
}

function Deletion({ segment }: { segment: FoundSegment }) {
  const { id: project } = useProject()
  const navigate = useNavigate()
  const [isAsked, setIsAsked] = useState(false)
  const remove = useAction(DeleteSegmentDocument)
  const [{ data, error }, ask] = useRead({ query: SegmentUsageDocument, variables: { id: segment.id }, requestPolicy: 'network-only' })
  const usage = data?.segment?.usage
  const confirm = async () => {
    if (!(await remove.run({ input: { id: segment.id } }))) return
    toast(`“${segment.name}” has been deleted`)
    await navigate({ to: '/$project/segments', params: { project }, ignoreBlocker: true })
  }
  const open = () => {
    remove.reset()
    setIsAsked(true)
  }
  return (
    <Section
      title="What uses it"
      actions={
        <Button
          kind="danger"
          icon="trash"
          waits={!usage && !error}
          disabled={usage ? !usage.canDelete : error !== undefined}
          onClick={open}
        >
          Delete the segment
        </Button>
      }
    >
      {error && <ProblemNote problem={problemOf(error)} onRetry={() => ask({ requestPolicy: 'network-only' })} />}
      {!usage && !error && <Loading rows={2} />}
      {usage && !usage.canDelete && (
        <Note kind="warn">
          It cannot be deleted now: a campaign for it is scheduled or being sent, or an enabled workflow, or an execution under way, asks
          for it or names one of its events.
        </Note>
      )}
      {usage && <Uses usage={usage} />}
      <ConfirmDialog
        open={isAsked}
        onClose={() => setIsAsked(false)}
        title="Delete this segment?"
        verb="Delete"
        typed={segment.name}
        problem={remove.problem}
        onConfirm={confirm}
      >
        {usage && usage.segments.totalCount > 0 && <p>The part of other segments that refers to it matches nobody then.</p>}
        <p>Its contacts stay. It cannot be undone.</p>
      </ConfirmDialog>
    </Section>
  )
}
