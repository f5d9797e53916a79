import { useState } from 'react'
import { useAction } from '../../../data/action.ts'
import { problemWith } from '../../../data/failures.ts'
import { ago, moment } from '../../../data/format.ts'
import { type EditedCampaignFragment, SendCampaignDocument } from '../../../graphql/graphql.ts'
import { Button } from '../../../parts/button.tsx'
import { CloseButton, Dialog } from '../../../parts/dialog.tsx'
import { SelectField, TextField } from '../../../parts/field.tsx'
import { Form } from '../../../parts/form.tsx'
import { toast } from '../../../parts/toast.tsx'
import { momentOf, ownZone, wallClock, zones } from './zone.ts'

interface Props {
  campaign: EditedCampaignFragment
  disabled: boolean
}

const zoneOptions = zones.map((zone) => ({ value: zone, label: zone === ownZone ? `${zone} (yours)` : zone }))
const dayMs = 86_400_000

/** Schedules a campaign: a day, a time and the time zone they are of. */
export function Schedule({ campaign, disabled }: Props) {
  const [open, setOpen] = useState(false)
  const isScheduled = campaign.status === 'SCHEDULED'
  return (
    <>
      <Button disabled={disabled} onClick={() => setOpen(true)}>
        {isScheduled ? 'Send at another time…' : 'Schedule…'}
      </Button>
      <Dialog title="When is it sent?" open={open} onClose={() => setOpen(false)}>
        <ScheduleForm campaign={campaign} onDone={() => setOpen(false)} />
      </Dialog>
    </>
  )
}

function ScheduleForm({ campaign: { id, scheduledAt }, onDone }: { campaign: EditedCampaignFragment; onDone(): void }) {
  const [zone, setZone] = useState(ownZone)
  const [time, setTime] = useState(() => wallClock(scheduledAt ? new Date(scheduledAt) : new Date(Date.now() + dayMs), ownZone))
  const { run, busy, problem } = useAction(SendCampaignDocument)
  const at = momentOf(time, zone)
  const isPast = at !== undefined && at.getTime() <= Date.now()
  const wrong = !at ? 'This time does not exist in that time zone.' : isPast ? 'This is in the past.' : undefined
  const submit = async () => {
    if (!at || isPast || !(await run({ input: { id, scheduledAt: at.toISOString() } }))) return
    onDone()
    toast('Campaign scheduled', moment(at.toISOString()))
  }
  return (
    <Form onSubmit={submit} problem={problem} fields={['scheduledAt']} label="When it is sent">
      <TextField
        label="Day and time"
        type="datetime-local"
        value={time}
        onChange={(event) => setTime(event.target.value)}
        problem={wrong ?? problemWith(problem, 'scheduledAt')}
      />
      <SelectField label="Time zone" options={zoneOptions} value={zone} onChange={(event) => setZone(event.target.value)} />
      {at && !isPast && (
        <p role="status">
          Where you are, that is {moment(at.toISOString())}, {ago(at.toISOString())}. The audience is that of then.
        </p>
      )}
      <div className="actions end">
        <CloseButton>Close</CloseButton>
        <Button kind="primary" type="submit" busy={busy} disabled={wrong !== undefined}>
          Schedule
        </Button>
      </div>
    </Form>
  )
}
