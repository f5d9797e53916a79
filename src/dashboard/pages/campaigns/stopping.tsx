import { useState } from 'react'
import { useAction } from '../../data/action.ts'
import { type CampaignStateFragment, CancelCampaignDocument, PauseCampaignDocument, ResumeCampaignDocument } from '../../graphql/graphql.ts'
import { Button } from '../../parts/button.tsx'
import { ConfirmDialog } from '../../parts/dialog.tsx'
import { ProblemNote } from '../../parts/state.tsx'
import { toast } from '../../parts/toast.tsx'

type Props = { campaign: CampaignStateFragment & { name: string } }

/** Pauses a campaign that is being sent, or lets it go on. */
export function PauseButton({ campaign: { id, paused } }: Props) {
  const pause = useAction(PauseCampaignDocument)
  const resume = useAction(ResumeCampaignDocument)
  const act = async () => {
    const done = await (paused ? resume : pause).run({ input: { id } })
    if (done)
      toast(paused ? 'The campaign goes on' : 'The campaign is paused', paused ? undefined : 'Nothing of it leaves until it is resumed.')
  }
  const problem = pause.problem ?? resume.problem
  return (
    <>
      {problem && <ProblemNote problem={problem} />}
      <Button icon={paused ? 'play' : 'pause'} busy={pause.busy || resume.busy} onClick={act}>
        {paused ? 'Resume' : 'Pause'}
      </Button>
    </>
  )
}

/** Cancels a campaign after asking: for good once something has left. */
export function CancelButton({ campaign: { id, name, status, stats } }: Props) {
  const [open, setOpen] = useState(false)
  const { run, problem, reset } = useAction(CancelCampaignDocument)
  const isForGood = status === 'SENDING'
  const close = () => {
    setOpen(false)
    reset()
  }
  const cancel = async () => {
    const data = await run({ input: { id } })
    if (!data) return
    close()
    toast(data.cancelCampaign.campaign.status === 'DRAFT' ? 'It is a draft again' : 'Campaign cancelled')
  }
  return (
    <>
      <Button kind="danger" onClick={() => setOpen(true)}>
        {isForGood ? 'Cancel…' : 'Do not send…'}
      </Button>
      <ConfirmDialog
        title={`Cancel “${name}”?`}
        verb="Cancel the campaign"
        {...(isForGood && { typed: name })}
        refusal="Do not cancel"
        open={open}
        onClose={close}
        problem={problem}
        onConfirm={cancel}
      >
        {isForGood && stats.sentCount > 0
          ? 'What has left stays sent, the rest never leaves, and the campaign cannot be resumed.'
          : 'Nothing of it leaves. It becomes a draft again, unless an email has left meanwhile.'}
      </ConfirmDialog>
    </>
  )
}
