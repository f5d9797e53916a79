import { Link } from '@tanstack/react-router'
import { useAction } from '../../../data/action.ts'
import { problemOf, problemWith } from '../../../data/failures.ts'
import { words } from '../../../data/format.ts'
import { useRead } from '../../../data/read.ts'
import { CampaignAudienceDocument, type EditedCampaignFragment, SendCampaignTestDocument } from '../../../graphql/graphql.ts'
import { usePreview } from '../../../parts/editor/preview.tsx'
import { TestMail } from '../../../parts/editor/test-mail.tsx'
import { Facts } from '../../../parts/facts.tsx'
import { TextField } from '../../../parts/field.tsx'
import { Section } from '../../../parts/page.tsx'
import { Loading, Note, ProblemNote } from '../../../parts/state.tsx'
import { CancelButton } from '../stopping.tsx'
import { AudienceFigures } from './audience.tsx'
import type { CampaignSaving } from './saving.ts'
import { Schedule } from './schedule.tsx'
import { SendNow } from './send-now.tsx'

interface Props {
  campaign: EditedCampaignFragment
  saving: CampaignSaving
}

/** The last step: everything at a glance, a test, and sending it now or later. */
export function ReviewStep({ campaign, saving }: Props) {
  const { id } = campaign
  const [{ data, error }, ask] = useRead({ query: CampaignAudienceDocument, variables: { id }, requestPolicy: 'network-only' })
  const audience = data?.campaign?.audiencePreview
  const isCounted = data !== undefined || error !== undefined
  const isReady = !saving.isDirty && (!isCounted || (audience?.recipients ?? 0) > 0)
  return (
    <>
      {saving.isDirty && <Note kind="warn">Save your changes before you send it.</Note>}
      <div className="beside">
        <div className="beside-main">
          <Summary campaign={campaign} />
          <Pace saving={saving} />
        </div>
        <Section title="Who would get it now">
          {error && <ProblemNote problem={problemOf(error)} onRetry={() => ask({ requestPolicy: 'network-only' })} />}
          {!audience && !error && <Loading rows={2} />}
          {audience && <AudienceFigures audience={audience} />}
        </Section>
      </div>
      <div className="actions end">
        {campaign.status === 'SCHEDULED' && <CancelButton campaign={campaign} />}
        <Test id={id} isDirty={saving.isDirty} />
        <Schedule campaign={campaign} disabled={saving.isDirty} />
        <SendNow campaign={campaign} recipients={audience?.recipients ?? 0} disabled={!isReady} waits={!isCounted} />
      </div>
    </>
  )
}

function Summary({ campaign }: { campaign: EditedCampaignFragment }) {
  const { id, name, type, from, fromName, replyTo, subject, previewText, segment, audienceType } = campaign
  const { shown, problem } = usePreview({ campaignId: id })
  return (
    <Section
      title="What is sent"
      actions={
        <Link to="." search={(before: object) => ({ ...before, tab: 'content' as const })}>
          Edit the content
        </Link>
      }
    >
      {problem && <ProblemNote problem={problem} />}
      <Facts
        rows={[
          ['Name', name],
          ['Audience', audienceType === 'SEGMENT' ? (segment?.name ?? 'A segment that was deleted') : words(audienceType)],
          ['Type', words(type)],
          ['From', fromName ? `${fromName} <${from}>` : from],
          ['Replies go to', replyTo],
          ['Subject', subject],
          ['Preview text', previewText],
          ['Links', shown && String(shown.links.length)],
        ]}
      />
      {shown && shown.sizeBytes > 104_448 && <Note kind="warn">It is larger than what Gmail shows; the rest is behind a link there.</Note>}
      {shown && shown.missing.length > 0 && <Note kind="warn">Without a value for a contact without data: {shown.missing.join(', ')}</Note>}
    </Section>
  )
}

function Pace({ saving: { draft, change, action } }: Pick<Props, 'saving'>) {
  return (
    <Section title="Pace">
      <TextField
        label="Emails per hour at most"
        inputMode="numeric"
        value={draft.maxPerHour}
        onChange={(event) => change({ maxPerHour: event.target.value.replace(/\D/g, '').slice(0, 9) })}
        hint="Empty for no limit. A new sender domain is trusted more when it begins slowly."
        problem={problemWith(action.problem, 'maxPerHour')}
      />
    </Section>
  )
}

function Test({ id, isDirty }: { id: string; isDirty: boolean }) {
  const { run, ...state } = useAction(SendCampaignTestDocument)
  const send = async (email: string) => (await run({ input: { id, email } }))?.sendCampaignTest.message
  return <TestMail isDirty={isDirty} send={send} {...state} />
}
