import { useState } from 'react'
import { useAction } from '../../../data/action.ts'
import { number } from '../../../data/format.ts'
import { type EditedCampaignFragment, SendCampaignDocument } from '../../../graphql/graphql.ts'
import { Button } from '../../../parts/button.tsx'
import { ConfirmDialog } from '../../../parts/dialog.tsx'
import { toast } from '../../../parts/toast.tsx'

interface Props {
  campaign: EditedCampaignFragment
  recipients: number
  disabled: boolean
  /** Whether its recipients are still being counted. */
  waits: boolean
}

/** Sends a campaign, once the number of its recipients has been typed. */
export function SendNow({ campaign: { id, name }, recipients, disabled, waits }: Props) {
  const [open, setOpen] = useState(false)
  const { run, problem, reset } = useAction(SendCampaignDocument)
  const close = () => {
    setOpen(false)
    reset()
  }
  const send = async () => {
    if (!(await run({ input: { id } }))) return
    close()
    toast('The campaign is being sent')
  }
  return (
    <>
      <Button kind="primary" icon="send" disabled={disabled} waits={waits} onClick={() => setOpen(true)}>
        Send now…
      </Button>
      <ConfirmDialog
        title={`Send “${name}” now?`}
        verb={`Send to ${number(recipients)}`}
        typed={String(recipients)}
        refusal="Do not send"
        open={open}
        onClose={close}
        problem={problem}
        onConfirm={send}
      >
        {`${number(recipients)} ${recipients === 1 ? 'contact is' : 'contacts are'} sent it. What has left cannot be taken back.`}
      </ConfirmDialog>
    </>
  )
}
