import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { problemOf } from '../../data/failures.ts'
import { number, words } from '../../data/format.ts'
import { useLiveRefresh, useProject } from '../../data/project.tsx'
import { useRead } from '../../data/read.ts'
import { oneOf, pageOf } from '../../data/search.ts'
import { TemplatesDocument, type TemplatesQuery } from '../../graphql/graphql.ts'
import { Button } from '../../parts/button.tsx'
import { emailTypes } from '../../parts/editor/content.ts'
import { NameAndMode } from '../../parts/editor/name-and-mode.tsx'
import { Time } from '../../parts/facts.tsx'
import { Page } from '../../parts/page.tsx'
import { Pager } from '../../parts/pager.tsx'
import { SearchField } from '../../parts/search.tsx'
import { Segmented } from '../../parts/segmented.tsx'
import { Empty, Loading, ProblemNote } from '../../parts/state.tsx'
import { Table } from '../../parts/table.tsx'
import { countsForTemplates, refreshMs } from './live.ts'
import { NewTemplate } from './new-template.tsx'

const types = [{ value: 'ALL', label: 'All' }, ...emailTypes] as const

/** The templates of the project: by type, and by words of their name, description or subject. */
export function Templates() {
  const { type, search, create, ...place } = useSearch({ from: '/signed-in/$project/templates' })
  const navigate = useNavigate({ from: '/$project/templates' })
  const variables = { filter: { ...(type && { type }), ...(search && { search }) }, ...pageOf(place) }
  const [{ data, error, stale }, ask] = useRead({ query: TemplatesDocument, variables })
  const again = () => ask({ requestPolicy: 'network-only' })
  useLiveRefresh(countsForTemplates, again, refreshMs)
  const narrow = (change: { type?: typeof type; search?: string | undefined }) =>
    void navigate({ search: (before) => ({ ...before, ...change, after: undefined, before: undefined }), replace: true })
  const open = (isOpen: boolean) => void navigate({ search: (before) => ({ ...before, create: isOpen || undefined }) })
  return (
    <Page
      title="Templates"
      actions={
        <Button kind="primary" icon="plus" onClick={() => open(true)}>
          New template
        </Button>
      }
    >
      <div className="filters">
        <SearchField label="Search templates" value={search} onSearch={(text) => narrow({ search: text })} />
        <Segmented
          label="Type"
          options={types}
          value={type ?? 'ALL'}
          onChange={(value) => narrow({ type: oneOf(['MARKETING', 'TRANSACTIONAL', 'HEADLESS'], value) })}
        />
      </div>
      {error && <ProblemNote problem={problemOf(error)} onRetry={again} />}
      {!data && !error && <Loading rows={8} />}
      {data && data.templates.nodes.length === 0 && (
        <Nothing isFiltered={type !== undefined || search !== undefined} onCreate={() => open(true)} />
      )}
      {data && data.templates.nodes.length > 0 && (
        <div className={stale ? 'card list stale' : 'card list'}>
          <List rows={data.templates.nodes} />
          <Pager info={data.templates.pageInfo} total={data.templates.totalCount} />
        </div>
      )}
      <NewTemplate open={create === true} onClose={() => open(false)} />
    </Page>
  )
}

function Nothing({ isFiltered, onCreate }: { isFiltered: boolean; onCreate(): void }) {
  if (isFiltered)
    return (
      <Empty icon="file" title="No template matches">
        Search for other words, or for all types.
      </Empty>
    )
  return (
    <Empty icon="file" title="No templates yet">
      <p>An email that is written once and sent again and again: by campaigns, by workflows and by your programs.</p>
      <div className="actions centre">
        <Button icon="plus" onClick={onCreate}>
          Write the first one
        </Button>
      </div>
    </Empty>
  )
}

function List({ rows }: { rows: TemplatesQuery['templates']['nodes'] }) {
  const { id: project } = useProject()
  return (
    <Table
      label="Templates"
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        {
          name: 'Template',
          cell: ({ id, name, subject, mode }) => (
            <Link to="/$project/templates/$template" params={{ project, template: id }} className="cell-link">
              <NameAndMode name={name} mode={mode} />
              <span className="muted">{subject}</span>
            </Link>
          ),
        },
        { name: 'Type', wide: true, cell: ({ type }) => words(type) },
        { name: 'Emails sent', numeric: true, cell: ({ usage }) => number(usage.emailsSent) },
        { name: 'Changed', wide: true, cell: ({ updatedAt }) => <Time at={updatedAt} relative /> },
      ]}
    />
  )
}
