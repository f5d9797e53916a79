import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useClient } from 'urql'
import { problemOf } from '../../../data/failures.ts'
import { findContacts } from '../../../data/find.ts'
import { number, words } from '../../../data/format.ts'
import { useLiveRefresh, useProject } from '../../../data/project.tsx'
import { useRead } from '../../../data/read.ts'
import { pageOf } from '../../../data/search.ts'
import {
  type EditedWorkflowFragment,
  PersonDocument,
  WorkflowExecutionsDocument,
  type WorkflowExecutionsQuery,
} from '../../../graphql/graphql.ts'
import { Address } from '../../../parts/address.tsx'
import { Button } from '../../../parts/button.tsx'
import { Choices } from '../../../parts/choices.tsx'
import { Time } from '../../../parts/facts.tsx'
import { Lookup } from '../../../parts/lookup.tsx'
import { Pager } from '../../../parts/pager.tsx'
import { Empty, Loading, ProblemNote } from '../../../parts/state.tsx'
import { Table } from '../../../parts/table.tsx'
import type { WorkflowProgress } from '../progress.ts'
import { executionStatuses } from '../search.ts'
import { CancelAll } from './cancel-all.tsx'
import { StartByHand } from './start.tsx'
import { StatusBadge } from './status.tsx'

interface Props {
  workflow: EditedWorkflowFragment
  progress: WorkflowProgress | undefined
}

const at = '/signed-in/$project/workflows/$workflow'

/** The executions of a workflow by their states, newest first; they are started by hand and cancelled here. */
export function Executions({ workflow, progress }: Props) {
  const { status, contact, after, before, open } = useSearch({ from: at })
  const navigate = useNavigate({ from: '/$project/workflows/$workflow' })
  const { id } = workflow
  const variables = {
    id,
    filter: { ...(status && { statuses: status }), ...(contact && { contactId: contact }) },
    ...pageOf({ after, before }),
  }
  const [{ data, error, stale }, ask] = useRead({ query: WorkflowExecutionsDocument, variables })
  const again = () => ask({ requestPolicy: 'network-only' })
  useLiveRefresh(({ execution }) => execution?.workflow?.id === id, again)
  const counts = progress?.executionCounts
  const active = counts ? counts.running + counts.waiting : undefined
  const options = executionStatuses.map((value) => ({ value, label: labelOf(value, counts) }))
  const turn = (dialog: 'start' | 'cancel' | undefined) =>
    void navigate({ search: (old) => ({ ...old, open: dialog }), resetScroll: false })
  const narrow = (change: { status?: typeof status; contact?: string | undefined }) =>
    void navigate({
      search: (old) => ({ ...old, ...change, after: undefined, before: undefined }),
      replace: true,
      resetScroll: false,
    })
  const list = data?.workflow?.executions
  return (
    <>
      <div className="filters">
        <Choices label="State" options={options} chosen={status ?? []} onChange={(chosen) => narrow({ status: chosen })} />
        <ContactFilter id={contact} onChoose={(chosen) => narrow({ contact: chosen })} />
        <Button icon="play" disabled={!workflow.enabled} onClick={() => turn('start')}>
          Start for a contact…
        </Button>
        <Button icon="close" waits={active === undefined} disabled={active === 0} onClick={() => turn('cancel')}>
          Cancel all…
        </Button>
      </div>
      {counts && (
        <p className="muted" role="status">
          {executionStatuses.map((value) => `${number(counts[keyOf(value)])} ${words(value).toLowerCase()}`).join(', ')}
        </p>
      )}
      {error && <ProblemNote problem={problemOf(error)} onRetry={again} />}
      {!list && !error && <Loading rows={6} />}
      {list?.nodes.length === 0 && <Nothing workflow={workflow} isFiltered={status !== undefined || contact !== undefined} />}
      {list && list.nodes.length > 0 && (
        <div className={stale ? 'card list stale' : 'card list'}>
          <List workflow={id} rows={list.nodes} />
          <Pager info={list.pageInfo} />
        </div>
      )}
      <StartByHand workflow={workflow} open={open === 'start'} onClose={() => turn(undefined)} />
      <CancelAll workflow={workflow} active={active} open={open === 'cancel'} onClose={() => turn(undefined)} onDone={again} />
    </>
  )
}

function ContactFilter({ id, onChoose }: { id: string | undefined; onChoose(id: string | undefined): void }) {
  const client = useClient()
  const [{ data }] = useRead({ query: PersonDocument, variables: { id: id ?? '' }, pause: id === undefined })
  const name = id === undefined ? undefined : (data?.contact?.email ?? id)
  return <Lookup label="Contact" chosen={name} find={(text) => findContacts(client, text)} onChoose={onChoose} />
}

type Counts = NonNullable<WorkflowProgress['executionCounts']>

const keyOf = (status: (typeof executionStatuses)[number]) => status.toLowerCase() as Exclude<keyof Counts, '__typename'>

function labelOf(status: (typeof executionStatuses)[number], counts: Counts | null | undefined): string {
  return counts ? `${words(status)} (${number(counts[keyOf(status)])})` : words(status)
}

function Nothing({ workflow: { enabled }, isFiltered }: { workflow: EditedWorkflowFragment; isFiltered: boolean }) {
  if (isFiltered) return <Empty icon="workflow" title="No execution matches" />
  return (
    <Empty icon="workflow" title="No contact has entered yet">
      {enabled ? 'They enter when its event happens to them, or by hand.' : 'Enable the workflow first: then its event starts executions.'}
    </Empty>
  )
}

type Row = NonNullable<WorkflowExecutionsQuery['workflow']>['executions']['nodes'][number]

function List({ workflow, rows }: { workflow: string; rows: Row[] }) {
  const { id: project } = useProject()
  return (
    <Table
      label="Executions"
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        {
          name: 'Contact',
          cell: ({ id, contact }) => (
            <Link to="/$project/workflows/$workflow/executions/$execution" params={{ project, workflow, execution: id }}>
              {contact ? <Address of={contact.email} /> : 'A deleted contact'}
            </Link>
          ),
        },
        { name: 'State', cell: ({ status }) => <StatusBadge status={status} /> },
        { name: 'Step', wide: true, cell: ({ currentStep, exitReason }) => exitReason ?? currentStep?.name },
        { name: 'Begun', cell: ({ startedAt }) => <Time at={startedAt} /> },
        { name: 'Ended', wide: true, cell: ({ completedAt }) => completedAt && <Time at={completedAt} /> },
      ]}
    />
  )
}
