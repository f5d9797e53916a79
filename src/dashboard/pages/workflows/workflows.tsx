import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { problemOf } from '../../data/failures.ts'
import { number } from '../../data/format.ts'
import { useLiveRefresh, useProject } from '../../data/project.tsx'
import { useRead } from '../../data/read.ts'
import { pageOf } from '../../data/search.ts'
import { WorkflowsDocument, type WorkflowsQuery } from '../../graphql/graphql.ts'
import { Button } from '../../parts/button.tsx'
import { Time } from '../../parts/facts.tsx'
import { Page } from '../../parts/page.tsx'
import { Pager } from '../../parts/pager.tsx'
import { SearchField } from '../../parts/search.tsx'
import { Select } from '../../parts/select.tsx'
import { Badge, Empty, Loading, ProblemNote } from '../../parts/state.tsx'
import { Table } from '../../parts/table.tsx'
import { NewWorkflow } from './new-workflow.tsx'

const states = [
  { value: '', label: 'Enabled or not' },
  { value: 'enabled', label: 'Enabled' },
  { value: 'disabled', label: 'Disabled' },
] as const

// Each has up to 100 issues and steps, which count towards what a query may cost.
const pageSize = 40

/** The workflows of the project, with what is wrong with them and how many contacts are in them: newest first. */
export function Workflows() {
  const { state, search, create, ...place } = useSearch({ from: '/signed-in/$project/workflows' })
  const navigate = useNavigate({ from: '/$project/workflows' })
  const filter = { ...(state && { enabled: state === 'enabled' }), ...(search && { search }) }
  const [{ data, error, stale }, ask] = useRead({ query: WorkflowsDocument, variables: { filter, ...pageOf(place, pageSize) } })
  const again = () => ask({ requestPolicy: 'network-only' })
  useLiveRefresh(({ type }) => type.startsWith('WORKFLOW_'), again)
  const narrow = (change: { state?: typeof state; search?: string | undefined }) =>
    void navigate({ search: (before) => ({ ...before, ...change, after: undefined, before: undefined }), replace: true })
  const open = (isOpen: boolean) => void navigate({ search: (before) => ({ ...before, create: isOpen || undefined }) })
  const isFiltered = state !== undefined || search !== undefined
  return (
    <Page
      title="Workflows"
      actions={
        <Button kind="primary" icon="plus" onClick={() => open(true)}>
          New workflow
        </Button>
      }
    >
      <div className="filters">
        <SearchField label="Search workflows" value={search} onSearch={(text) => narrow({ search: text })} />
        <Select label="State" value={state ?? ''} options={states} onChange={(next) => narrow({ state: next === '' ? undefined : next })} />
      </div>
      {error && <ProblemNote problem={problemOf(error)} onRetry={again} />}
      {!data && !error && <Loading rows={8} />}
      {data && data.workflows.nodes.length === 0 && <Nothing isFiltered={isFiltered} onCreate={() => open(true)} />}
      {data && data.workflows.nodes.length > 0 && (
        <div className={stale ? 'card list stale' : 'card list'}>
          <List rows={data.workflows.nodes} />
          <Pager info={data.workflows.pageInfo} total={data.workflows.totalCount} />
        </div>
      )}
      <NewWorkflow open={create === true} onClose={() => open(false)} />
    </Page>
  )
}

function Nothing({ isFiltered, onCreate }: { isFiltered: boolean; onCreate(): void }) {
  if (isFiltered)
    return (
      <Empty icon="workflow" title="No workflow matches">
        Search for other words, or for both states.
      </Empty>
    )
  return (
    <Empty icon="workflow" title="No workflows yet">
      <p>Steps that contacts go through one after the other, such as a series of welcome emails that an event starts.</p>
      <div className="actions center">
        <Button icon="plus" onClick={onCreate}>
          Create the first one
        </Button>
      </div>
    </Empty>
  )
}

type Row = WorkflowsQuery['workflows']['nodes'][number]

function List({ rows }: { rows: Row[] }) {
  const { id: project } = useProject()
  return (
    <Table
      label="Workflows"
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        {
          name: 'Workflow',
          cell: ({ id, name, ...row }) => (
            <Link to="/$project/workflows/$workflow" params={{ project, workflow: id }} className="cell-link">
              <strong>{name}</strong>
              <span className="muted">{row.description ?? triggerOf(row)}</span>
            </Link>
          ),
        },
        { name: 'State', cell: (row) => <State row={row} /> },
        { name: 'Under way', numeric: true, cell: ({ executionCounts: counts }) => shown(counts && counts.running + counts.waiting) },
        { name: 'Completed', wide: true, numeric: true, cell: ({ executionCounts: counts }) => shown(counts?.completed) },
        { name: 'Exited', wide: true, numeric: true, cell: ({ executionCounts: counts }) => shown(counts?.exited) },
        { name: 'Failed', wide: true, numeric: true, cell: ({ executionCounts: counts }) => shown(counts?.failed) },
        { name: 'Changed', wide: true, cell: ({ updatedAt }) => <Time at={updatedAt} relative /> },
      ]}
    />
  )
}

const shown = (count: number | null | undefined): string => (count === null || count === undefined ? '–' : number(count))

function triggerOf({ triggerType, triggerConfig }: Pick<Row, 'triggerType' | 'triggerConfig'>): string {
  if (triggerType === 'MANUAL') return 'Started by a call or by hand'
  return triggerConfig ? `Started by the event “${triggerConfig.eventName}”` : 'Nothing starts it yet'
}

function State({ row: { enabled, issues } }: { row: Row }) {
  const errors = issues.filter(({ severity }) => severity === 'ERROR').length
  const warnings = issues.length - errors
  return (
    <span className="badges">
      <Badge tone={enabled ? 'good' : 'neutral'}>{enabled ? 'Enabled' : 'Disabled'}</Badge>
      {errors > 0 && <Badge tone="bad">{errors === 1 ? '1 error' : `${errors} errors`}</Badge>}
      {warnings > 0 && <Badge tone="warn">{warnings === 1 ? '1 warning' : `${warnings} warnings`}</Badge>}
    </span>
  )
}
