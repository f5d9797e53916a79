import { Link, useParams, useSearch } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import { useAction } from '../../data/action.ts'
import { problemOf } from '../../data/failures.ts'
import { useProject } from '../../data/project.tsx'
import { useRead } from '../../data/read.ts'
import { type EditedWorkflowFragment, UpdateWorkflowDocument, WorkflowDocument } from '../../graphql/graphql.ts'
import { Button } from '../../parts/button.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Page } from '../../parts/page.tsx'
import { Badge, Empty, Loading, ProblemNote } from '../../parts/state.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { toast } from '../../parts/toast.tsx'
import { Executions } from './executions/executions.tsx'
import { useWorkflowProgress, type WorkflowProgress } from './progress.ts'
import { tabs } from './search.ts'
import { Settings } from './settings/settings.tsx'
import { Steps } from './steps/steps.tsx'

/** A workflow: its steps, the executions of it, and its settings. */
export function Workflow() {
  const { workflow: id } = useParams({ from: '/signed-in/$project/workflows/$workflow' })
  const [{ data, error, fetching }, ask] = useRead({ query: WorkflowDocument, variables: { id } })
  const again = () => ask({ requestPolicy: 'network-only' })
  const progress = useWorkflowProgress(id)
  const found = data?.workflow?.id === id ? data.workflow : undefined
  const readAt = found?.updatedAt
  const changedAt = progress?.updatedAt
  const readAgain = useEffectEvent(again)
  useEffect(() => {
    if (readAt !== undefined && changedAt !== undefined && changedAt > readAt) readAgain()
  }, [readAt, changedAt])
  if (!found)
    return (
      <Page title="Workflow" above={<Back />}>
        {error && <ProblemNote problem={problemOf(error)} onRetry={again} />}
        {!error && fetching && <Loading rows={8} />}
        {!error && !fetching && <Empty icon="workflow" title="This workflow does not exist, or was deleted" />}
      </Page>
    )
  return <Found key={id} workflow={found} progress={progress} onChange={again} />
}

interface FoundProps {
  workflow: EditedWorkflowFragment
  progress: WorkflowProgress | undefined
  onChange(): void
}

function Found({ workflow, progress, onChange }: FoundProps) {
  const { tab = 'steps' } = useSearch({ from: '/signed-in/$project/workflows/$workflow' })
  const { run, busy, problem } = useAction(UpdateWorkflowDocument)
  const { id, name, description, enabled } = workflow
  const turn = async () => {
    if (!(await run({ input: { id, enabled: !enabled } }))) return
    toast(enabled ? 'The workflow is disabled' : 'The workflow is enabled', enabled ? 'Executions that have begun go on.' : undefined)
  }
  return (
    <Page
      title={name}
      lead={description}
      above={<Back />}
      actions={
        <>
          <Badge tone={enabled ? 'good' : 'neutral'}>{enabled ? 'Enabled' : 'Disabled'}</Badge>
          <Button kind={enabled ? 'plain' : 'primary'} icon={enabled ? 'pause' : 'play'} busy={busy} onClick={turn}>
            {enabled ? 'Disable' : 'Enable'}
          </Button>
        </>
      }
    >
      {problem && <ProblemNote problem={problem} />}
      <Tabs label="Parts of the workflow" tabs={tabs} shown={tab} />
      {(tab === 'steps' || tab === 'canvas') && (
        <Steps workflow={workflow} progress={progress} onChange={onChange} isDrawn={tab === 'canvas'} />
      )}
      {tab === 'executions' && <Executions workflow={workflow} progress={progress} />}
      {tab === 'settings' && <Settings workflow={workflow} onSaved={onChange} />}
    </Page>
  )
}

function Back() {
  const { id: project } = useProject()
  return (
    <Link to="/$project/workflows" params={{ project }} className="back">
      <Icon name="chevron-left" />
      Workflows
    </Link>
  )
}
