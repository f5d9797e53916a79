import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { moment, number } from '../../../data/format.ts'
import type { EditedCampaignFragment } from '../../../graphql/graphql.ts'
import { Button } from '../../../parts/button.tsx'
import { ConflictNote, useReadOnConflict } from '../../../parts/editor/conflict.tsx'
import { Page } from '../../../parts/page.tsx'
import { Note } from '../../../parts/state.tsx'
import { Tabs } from '../../../parts/tabs.tsx'
import { useUnsaved } from '../../../parts/unsaved/use-unsaved.ts'
import { More } from '../more.tsx'
import { steps } from '../search.ts'
import { StatusBadge } from '../status.tsx'
import { AudienceStep } from './audience.tsx'
import { ContentStep } from './content-step.tsx'
import { ReviewStep } from './review.tsx'
import { useCampaignSaving } from './saving.ts'

const tabs = [
  { name: 'audience', label: '1 Audience' },
  { name: 'content', label: '2 Content' },
  { name: 'review', label: '3 Review and send' },
] as const

interface Props {
  campaign: EditedCampaignFragment
  above: ReactNode
  onRead(): void
}

/** The steps of a campaign before it is sent: who gets it, what it says, and a last look. */
export function Drafting({ campaign, above, onRead }: Props) {
  const { tab } = useSearch({ from: '/signed-in/$project/campaigns/$campaign' })
  const navigate = useNavigate({ from: '/$project/campaigns/$campaign' })
  const saving = useCampaignSaving(campaign)
  const { isDirty, isOutdated, save, take, action } = saving
  const step = steps.find((one) => one === tab) ?? 'audience'
  const isConflict = isOutdated || action.problem?.code === 'CONFLICT'
  useReadOnConflict(action.problem?.code, onRead)
  useUnsaved(isDirty, true)
  const [isGoing, setIsGoing] = useState(false)
  const goOn = async () => {
    setIsGoing(true)
    const next = steps[steps.indexOf(step) + 1]
    if (await save()) await navigate({ search: (before) => ({ ...before, tab: next }) })
    setIsGoing(false)
  }
  return (
    <Page
      title={campaign.name}
      above={above}
      lead={<span role="status">{isDirty ? 'Unsaved changes' : 'Saved'}</span>}
      actions={
        <>
          <StatusBadge status={campaign.status} paused={campaign.paused} />
          <More campaign={campaign} isDirty={isDirty} />
          <Button waits={action.busy} disabled={!isDirty && !action.busy} onClick={() => void save()} aria-keyshortcuts="Control+S">
            Save
          </Button>
        </>
      }
    >
      <Notes campaign={campaign} />
      {isConflict && (
        <ConflictNote what="campaign" busy={action.busy} isRead={isOutdated} onTake={take} onReplace={() => void save('replace')} />
      )}
      <Tabs label="Steps of the campaign" tabs={tabs} shown={step} />
      {step === 'audience' && <AudienceStep campaign={campaign} saving={saving} />}
      {step === 'content' && <ContentStep campaign={campaign} saving={saving} />}
      {step === 'review' && <ReviewStep campaign={campaign} saving={saving} />}
      {step !== 'review' && (
        <div className="actions end">
          <Button kind="primary" busy={isGoing} waits={action.busy} onClick={() => void goOn()}>
            {isDirty ? 'Save and continue' : 'Continue'}
          </Button>
        </div>
      )}
    </Page>
  )
}

function Notes({ campaign: { status, statusReason, scheduledAt, source, sourceOutcome, stats } }: { campaign: EditedCampaignFragment }) {
  const which =
    sourceOutcome &&
    { NOT_OPENED: 'who have not opened it', NOT_CLICKED: 'who have not clicked in it', FAILED: 'whom it did not reach' }[sourceOutcome]
  return (
    <>
      {statusReason && <Note kind="warn">{statusReason}</Note>}
      {status === 'SCHEDULED' && scheduledAt && (
        <Note>It leaves on {moment(scheduledAt)}. Until then it can be changed; the audience is that of the moment it starts.</Note>
      )}
      {source && which && (
        <Note>
          Only for those of “{source.name}” {which}. Another audience makes it a campaign to that audience.
        </Note>
      )}
      {stats.totalRecipients > 0 && <Note>It has been started before, for {number(stats.totalRecipients)} contacts.</Note>}
    </>
  )
}
