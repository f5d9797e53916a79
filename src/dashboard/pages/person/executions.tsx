import { Link, useSearch } from '@tanstack/react-router'
import { problemOf } from '../../data/failures.ts'
import { words } from '../../data/format.ts'
import { useLiveRefresh, useProject } from '../../data/project.tsx'
import { useRead } from '../../data/read.ts'
import { pageOf } from '../../data/search.ts'
import { PersonExecutionsDocument } from '../../graphql/graphql.ts'
import { Time } from '../../parts/facts.tsx'
import { Pager } from '../../parts/pager.tsx'
import { Badge, Empty, Loading, ProblemNote } from '../../parts/state.tsx'
import { Table } from '../../parts/table.tsx'

/** The workflows that a contact goes through or went through, newest first. */
export function Executions({ id }: { id: string }) {
  const { id: project } = useProject()
  const search = useSearch({ from: '/signed-in/$project/contacts/$contact' })
  const [{ data, error }, ask] = useRead({ query: PersonExecutionsDocument, variables: { id, ...pageOf(search) } })
  const again = () => ask({ requestPolicy: 'network-only' })
  useLiveRefresh(({ contactId, type }) => contactId === id && /^WORKFLOW/.test(type), again)
  if (error) return <ProblemNote problem={problemOf(error)} onRetry={again} />
  if (!data?.contact) return <Loading rows={6} />
  const { nodes, pageInfo } = data.contact.executions
  if (nodes.length === 0) return <Empty icon="activity" title="This contact has entered no workflow yet" />
  return (
    <div className="card list">
      <Table
        label="Executions of workflows for the contact"
        rows={nodes}
        keyOf={(execution) => execution.id}
        columns={[
          {
            name: 'Workflow',
            cell: ({ id: execution, workflow }) =>
              workflow ? (
                <Link to="/$project/workflows/$workflow/executions/$execution" params={{ project, workflow: workflow.id, execution }}>
                  {workflow.name}
                </Link>
              ) : (
                'A deleted workflow'
              ),
          },
          { name: 'Status', cell: ({ status }) => <Badge>{words(status)}</Badge> },
          { name: 'Step', wide: true, cell: ({ currentStep, exitReason }) => exitReason ?? currentStep?.name },
          { name: 'Begun', cell: ({ startedAt }) => <Time at={startedAt} /> },
        ]}
      />
      <Pager info={pageInfo} />
    </div>
  )
}
