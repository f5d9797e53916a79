import { useState } from 'react'
import { useAction } from '../../../data/action.ts'
import { problemWith } from '../../../data/failures.ts'
import { number } from '../../../data/format.ts'
import { type EditedCampaignFragment, UpdateCampaignDocument } from '../../../graphql/graphql.ts'
import { Button } from '../../../parts/button.tsx'
import { TextField } from '../../../parts/field.tsx'
import { Form } from '../../../parts/form.tsx'
import { Section } from '../../../parts/page.tsx'
import { toast } from '../../../parts/toast.tsx'
import { doneOf, Progress } from '../progress.tsx'
import { durationOf, useRate } from './rate.ts'

/** A campaign that is being sent: how far it is, how fast, and how fast it may be at most. */
export function Running({ campaign }: { campaign: EditedCampaignFragment }) {
  const { stats, paused } = campaign
  const perSecond = useRate(doneOf(stats))
  const pace = paused
    ? 'Paused'
    : perSecond === undefined
      ? 'Measuring the rate…'
      : `${number(Math.round(perSecond * 10) / 10)} emails per second`
  const end = !paused && perSecond ? `about ${durationOf(stats.waitingCount / perSecond)} left` : undefined
  return (
    <Section title="Being sent">
      <Progress label="Progress" stats={stats} />
      <p className="muted">{[pace, end].filter(Boolean).join(', ')}</p>
      <Pace campaign={campaign} />
    </Section>
  )
}

function Pace({ campaign: { id, maxPerHour } }: { campaign: EditedCampaignFragment }) {
  const [text, setText] = useState(maxPerHour?.toString() ?? '')
  const { run, busy, problem } = useAction(UpdateCampaignDocument)
  const save = async () => {
    const next = text === '' ? null : Number(text)
    if (await run({ input: { id, maxPerHour: next } }))
      toast(next === null ? 'There is no limit any more' : `At most ${number(next)} emails per hour`)
  }
  return (
    <Form onSubmit={save} problem={problem} fields={['maxPerHour']} label="Pace" className="inline">
      <TextField
        label="Emails per hour at most"
        inputMode="numeric"
        value={text}
        onChange={(event) => setText(event.target.value.replace(/\D/g, '').slice(0, 9))}
        hint="Empty for no limit"
        problem={problemWith(problem, 'maxPerHour')}
      />
      <Button type="submit" busy={busy} disabled={text === (maxPerHour?.toString() ?? '')}>
        Apply
      </Button>
    </Form>
  )
}
