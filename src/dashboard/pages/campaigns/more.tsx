import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useAction } from '../../data/action.ts'
import { useOnce } from '../../data/once.ts'
import { useProject } from '../../data/project.tsx'
import {
  type CampaignSourceOutcome,
  DeleteCampaignDocument,
  DuplicateCampaignDocument,
  type EditedCampaignFragment,
  UpdateCampaignDocument,
} from '../../graphql/graphql.ts'
import { Button } from '../../parts/button.tsx'
import { ConfirmDialog, Dialog } from '../../parts/dialog.tsx'
import { TurnIntoHtml } from '../../parts/editor/turn-into-html.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Menu, MenuItem, MenuLine } from '../../parts/menu.tsx'
import { ProblemNote } from '../../parts/state.tsx'
import { toast } from '../../parts/toast.tsx'

interface Props {
  campaign: EditedCampaignFragment
  isDirty?: boolean
}

/** Duplicates a campaign, also for a part of its recipients, turns a visual one into HTML, or deletes it after asking. */
export function More({ campaign, isDirty = false }: Props) {
  const { status, mode } = campaign
  const [asks, setAsks] = useState(false)
  const [turns, setTurns] = useState(false)
  const askTurn = () => (isDirty ? toast('Save your changes first', 'What is saved is what becomes HTML.') : setTurns(true))
  const copy = useCopy(campaign.id)
  const wasSent = status === 'SENT' || status === 'CANCELLED'
  return (
    <>
      <Menu
        align="end"
        trigger={
          <Button>
            More <Icon name="chevron-down" />
          </Button>
        }
      >
        <MenuItem icon="copy" onSelect={() => void copy.run()}>
          Duplicate
        </MenuItem>
        {wasSent && (
          <>
            <MenuItem icon="copy" onSelect={() => void copy.run('NOT_OPENED')}>
              Duplicate for those who have not opened it
            </MenuItem>
            <MenuItem icon="copy" onSelect={() => void copy.run('NOT_CLICKED')}>
              Duplicate for those who have not clicked
            </MenuItem>
            <MenuItem icon="copy" onSelect={() => void copy.run('FAILED')}>
              Duplicate for those it did not reach
            </MenuItem>
          </>
        )}
        {mode === 'VISUAL' && (status === 'DRAFT' || status === 'SCHEDULED') && (
          <MenuItem icon="code" onSelect={askTurn}>
            Turn into HTML…
          </MenuItem>
        )}
        {status !== 'SENDING' && (
          <>
            <MenuLine />
            <MenuItem icon="trash" onSelect={() => setAsks(true)}>
              Delete…
            </MenuItem>
          </>
        )}
      </Menu>
      <Turning campaign={campaign} open={turns} onClose={() => setTurns(false)} />
      <Removal campaign={campaign} open={asks} onClose={() => setAsks(false)} />
      <Dialog title="It was not duplicated" open={copy.problem !== undefined} onClose={copy.reset}>
        {copy.problem && <ProblemNote problem={copy.problem} />}
      </Dialog>
    </>
  )
}

function useCopy(id: string) {
  const { id: project } = useProject()
  const navigate = useNavigate()
  const { run, problem, reset } = useAction(DuplicateCampaignDocument)
  const copy = async (sourceOutcome?: CampaignSourceOutcome) => {
    const data = await run({ input: { id, ...(sourceOutcome && { sourceOutcome }) } })
    if (!data) return
    const { campaign } = data.duplicateCampaign
    toast(`${campaign.name} created`)
    await navigate({ to: '/$project/campaigns/$campaign', params: { project, campaign: campaign.id } })
  }
  return { run: useOnce(copy).run, problem, reset }
}

interface AskingProps {
  campaign: EditedCampaignFragment
  open: boolean
  onClose(): void
}

function Turning({ campaign: { id, updatedAt }, open, onClose }: AskingProps) {
  const { run, problem, reset } = useAction(UpdateCampaignDocument)
  const close = () => {
    reset()
    onClose()
  }
  const turnIntoHtml = async () => {
    if (!(await run({ input: { id, mode: 'HTML', ifUpdatedAt: updatedAt } }))) return
    close()
    toast('It is written in HTML now')
  }
  return (
    <TurnIntoHtml open={open} onClose={close} problem={problem} onConfirm={turnIntoHtml}>
      Duplicate the campaign first to keep a visual one.
    </TurnIntoHtml>
  )
}

function Removal({ campaign: { id, name }, open, onClose }: AskingProps) {
  const { id: project } = useProject()
  const navigate = useNavigate()
  const { run, problem, reset } = useAction(DeleteCampaignDocument)
  const close = () => {
    reset()
    onClose()
  }
  const remove = async () => {
    if (!(await run({ input: { id } }))) return
    toast('Campaign deleted')
    await navigate({ to: '/$project/campaigns', params: { project }, ignoreBlocker: true })
  }
  return (
    <ConfirmDialog title={`Delete “${name}”?`} verb="Delete" typed={name} open={open} onClose={close} problem={problem} onConfirm={remove}>
      It cannot be undone. Its emails stay, and what is logged of it.
    </ConfirmDialog>
  )
}
