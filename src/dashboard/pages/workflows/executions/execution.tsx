import { Link, useParams } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useAction } from '../../../data/action.ts'
import { problemOf } from '../../../data/failures.ts'
import { useLive, useProject } from '../../../data/project.tsx'
import { useRead } from '../../../data/read.ts'
import {
  CancelExecutionDocument,
  ExecutionDocument,
  ExecutionProgressDocument,
  type ExecutionStepsFragment,
} from '../../../graphql/graphql.ts'
import { Button } from '../../../parts/button.tsx'
import { ConfirmDialog } from '../../../parts/dialog.tsx'
import { Copyable, Facts, Time } from '../../../parts/facts.tsx'
import { Icon } from '../../../parts/icon.tsx'
import { Page, Section } from '../../../parts/page.tsx'
import { Empty, Loading, ProblemNote } from '../../../parts/state.tsx'
import { toast } from '../../../parts/toast.tsx'
import type { FoundExecution } from './found.ts'
import { ExecutionGraph } from './graph.tsx'
import { isActive, StatusBadge } from './status.tsx'
import { StepRuns } from './step-runs.tsx'

/** The way of a contact through a workflow, as it goes on: what each step was asked and did, on the graph of its version. */
export function Execution() {
  const { workflow, execution: id } = useParams({ from: '/signed-in/$project/workflows/$workflow/executions/$execution' })
  const [{ data, error, fetching }, ask] = useRead({ query: ExecutionDocument, variables: { id } })
  const again = () => ask({ requestPolicy: 'network-only' })
  const pushed = useExecutionProgress(id)
  const answered = data?.workflowExecution
  // Of another workflow it is at another address.
  const read = answered?.id === id && answered.workflow?.id === workflow ? answered : undefined
  // What is pushed is never older than what was read before it.
  const execution = read && pushed ? { ...read, ...pushed } : read
  return (
    <Page
      title={execution ? (execution.contact?.email ?? 'A deleted contact') : 'Execution'}
      above={<Back workflow={workflow} name={execution?.workflow?.name} />}
      actions={execution && <Actions execution={execution} onDone={again} />}
    >
      {error && <ProblemNote problem={problemOf(error)} onRetry={again} />}
      {!data && !error && <Loading rows={8} />}
      {!execution && data && !error && !fetching && <Nothing workflow={workflow} />}
      {execution && <Contents execution={execution} />}
    </Page>
  )
}

function Nothing({ workflow }: { workflow: string }) {
  const { id: project } = useProject()
  return (
    <Empty icon="workflow" title="Nothing is here">
      <p>The workflow of this address has no such execution: the address is wrong, or it was removed.</p>
      <div className="actions centre">
        <Link to="/$project/workflows/$workflow" params={{ project, workflow }} search={{ tab: 'executions' }} className="button">
          To the executions of the workflow
        </Link>
      </div>
    </Empty>
  )
}

function useExecutionProgress(id: string): ExecutionStepsFragment | undefined {
  const live = useLive()
  const [state, setState] = useState<ExecutionStepsFragment>()
  useEffect(() => live.watch(ExecutionProgressDocument, { id }, ({ workflowExecution }) => setState(workflowExecution)), [live, id])
  return state?.id === id ? state : undefined
}

function Contents({ execution }: { execution: FoundExecution }) {
  const { id: project } = useProject()
  const { contact, currentStep, exitReason, context } = execution
  return (
    <>
      <Section title="Execution">
        <Facts
          rows={[
            [
              'Contact',
              contact && (
                <Link to="/$project/contacts/$contact" params={{ project, contact: contact.id }}>
                  {contact.email}
                </Link>
              ),
            ],
            ['Begun', <Time key="begun" at={execution.startedAt} />],
            ['Ended', execution.completedAt && <Time at={execution.completedAt} />],
            [isActive(execution.status) ? 'At' : 'Ended at', currentStep?.name],
            ['Why it ended', exitReason],
            ['Version', execution.version],
            ['Id', <Copyable key="id" text={execution.id} what="Id" />],
          ]}
        />
        {context !== null && context !== undefined && (
          <details>
            <summary>Data it began with</summary>
            <pre className="code">{JSON.stringify(context, null, 2)}</pre>
          </details>
        )}
      </Section>
      <div className="beside even">
        <StepRuns execution={execution} />
        <ExecutionGraph execution={execution} />
      </div>
    </>
  )
}

function Actions({ execution: { id, status }, onDone }: { execution: FoundExecution; onDone(): void }) {
  const [isAsked, setIsAsked] = useState(false)
  const { run, problem, reset } = useAction(CancelExecutionDocument)
  const close = () => {
    reset()
    setIsAsked(false)
  }
  const cancel = async () => {
    if (!(await run({ input: { id } }))) return
    close()
    toast('The execution is cancelled')
    onDone()
  }
  return (
    <>
      <StatusBadge status={status} />
      {isActive(status) && (
        <Button icon="close" onClick={() => setIsAsked(true)}>
          Cancel…
        </Button>
      )}
      <ConfirmDialog
        title="Cancel this execution?"
        verb="Cancel the execution"
        refusal="Do not cancel"
        open={isAsked}
        onClose={close}
        problem={problem}
        onConfirm={cancel}
      >
        Nothing more of the workflow happens to this contact. It cannot be undone.
      </ConfirmDialog>
    </>
  )
}

function Back({ workflow, name = 'Workflow' }: { workflow: string; name: string | undefined }) {
  const { id: project } = useProject()
  return (
    <Link to="/$project/workflows/$workflow" params={{ project, workflow }} search={{ tab: 'executions' }} className="back">
      <Icon name="chevron-left" />
      {name}
    </Link>
  )
}
