import { problemOf, problemWith } from '../../../data/failures.ts'
import { number } from '../../../data/format.ts'
import { useRead } from '../../../data/read.ts'
import {
  type AudienceFragment,
  AudienceOfDocument,
  CampaignAudienceDocument,
  type CampaignExclusionReason,
  type EditedCampaignFragment,
} from '../../../graphql/graphql.ts'
import { SelectField, TextField } from '../../../parts/field.tsx'
import { Form } from '../../../parts/form.tsx'
import { Section } from '../../../parts/page.tsx'
import { Segmented } from '../../../parts/segmented.tsx'
import { Loading, Note, ProblemNote } from '../../../parts/state.tsx'
import { Table } from '../../../parts/table.tsx'
import type { CampaignSaving, Edited } from './saving.ts'
import { useSegments } from './segments.ts'

interface Props {
  campaign: EditedCampaignFragment
  saving: CampaignSaving
}

const everybody = { value: 'ALL', label: 'All contacts' } as const
const ofSegment = { value: 'SEGMENT', label: 'A segment' } as const
const filtered = { value: 'FILTERED', label: 'A condition' } as const

/** The first step: what the campaign is called, and who gets it. */
export function AudienceStep({ campaign, saving: { draft, change, save, action } }: Props) {
  const segments = useSegments()
  const isFiltered = campaign.audienceType === 'FILTERED'
  const options = segments?.map(({ id, name, memberCount }) => ({ value: id, label: `${name} (${number(memberCount)})` })) ?? []
  return (
    <div className="beside">
      <Form
        onSubmit={() => void save()}
        problem={action.problem}
        fields={['name', 'segmentId', 'audienceType']}
        label="Audience"
        className="card"
        isDisposable
      >
        <TextField
          label="Name"
          value={draft.name}
          maxLength={100}
          autoComplete="off"
          onChange={(event) => change({ name: event.target.value })}
          hint="For you: recipients do not see it"
          problem={problemWith(action.problem, 'name')}
        />
        <Segmented
          label="Audience"
          options={isFiltered ? [everybody, ofSegment, filtered] : [everybody, ofSegment]}
          value={draft.audienceType}
          onChange={(audienceType) =>
            change({ audienceType, segmentId: audienceType === 'SEGMENT' ? ((draft.segmentId || options[0]?.value) ?? '') : '' })
          }
        />
        {draft.audienceType === 'SEGMENT' && (
          <SelectField
            label="Segment"
            options={[{ value: '', label: segments === undefined ? 'Loading…' : 'Choose a segment' }, ...options]}
            value={draft.segmentId}
            onChange={(event) => change({ segmentId: event.target.value })}
            hint="As it is when the campaign starts"
            problem={problemWith(action.problem, 'segmentId')}
          />
        )}
        {draft.audienceType === 'SEGMENT' && segments?.length === 0 && (
          <Note>There is no segment yet. Make one under Segments, or send it to all contacts.</Note>
        )}
        {draft.audienceType === 'FILTERED' && (
          <>
            <Note>
              Whoever meets this condition when the campaign starts. It was set by a program; a segment has conditions that can be edited
              here.
            </Note>
            <pre className="code tall">{JSON.stringify(campaign.condition, null, 2)}</pre>
          </>
        )}
      </Form>
      <WhoGetsIt campaign={campaign} draft={draft} />
    </div>
  )
}

function WhoGetsIt({ campaign, draft }: { campaign: EditedCampaignFragment; draft: Edited }) {
  const { audience, problem, retry, isIncomplete } = useAudience(campaign, draft)
  return (
    <Section title="Who would get it now">
      {problem && <ProblemNote problem={problem} onRetry={retry} />}
      {isIncomplete && <p className="muted">Choose a segment first.</p>}
      {!audience && !problem && !isIncomplete && <Loading rows={2} />}
      {audience && <AudienceFigures audience={audience} />}
    </Section>
  )
}

const reasons: Record<CampaignExclusionReason, string> = {
  UNSUBSCRIBED: 'Have unsubscribed',
  SUPPRESSED: 'Are on the suppression list',
  BOUNCED: 'Bounced before',
  COMPLAINED: 'Reported spam before',
}

/** How many get it, and how many do not, by reason. */
export function AudienceFigures({ audience: { recipients, excluded } }: { audience: AudienceFragment }) {
  return (
    <>
      <p role="status">
        <strong className="figure">{number(recipients)}</strong> {recipients === 1 ? 'contact' : 'contacts'}
      </p>
      {recipients === 0 && <Note kind="warn">Nobody would be sent it.</Note>}
      {excluded.length === 0 ? (
        <p className="muted">Nobody of the audience is left out.</p>
      ) : (
        <Table
          label="Left out"
          rows={excluded}
          keyOf={({ reason }) => reason}
          columns={[
            { name: 'Left out', cell: ({ reason }) => reasons[reason] },
            { name: 'Contacts', numeric: true, cell: ({ count }) => number(count) },
          ]}
        />
      )}
    </>
  )
}

// Of what is stored the API says it of the campaign, which may be for a part of the recipients of another; of what is being chosen
// of the audience alone.
function useAudience({ id, audienceType, segment, type }: EditedCampaignFragment, draft: Edited) {
  const isStored = draft.audienceType === audienceType && draft.type === type && draft.segmentId === (segment?.id ?? '')
  const isIncomplete = draft.audienceType === 'SEGMENT' && draft.segmentId === ''
  const [stored, askStored] = useRead({ query: CampaignAudienceDocument, variables: { id }, pause: !isStored || isIncomplete })
  const input = { audienceType: draft.audienceType, type: draft.type, ...(draft.segmentId && { segmentId: draft.segmentId }) }
  const [chosen, askChosen] = useRead({ query: AudienceOfDocument, variables: { input }, pause: isStored || isIncomplete })
  const { error, fetching } = isStored ? stored : chosen
  const audience = isStored ? stored.data?.campaign?.audiencePreview : chosen.data?.audiencePreview
  return {
    isIncomplete,
    audience: isIncomplete || (fetching && !isStored) ? undefined : (audience ?? undefined),
    problem: error && !isIncomplete ? problemOf(error) : undefined,
    retry: () => (isStored ? askStored : askChosen)({ requestPolicy: 'network-only' }),
  }
}
