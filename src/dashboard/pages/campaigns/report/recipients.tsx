import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { problemOf } from '../../../data/failures.ts'
import { words } from '../../../data/format.ts'
import { useLiveRefresh, useProject } from '../../../data/project.tsx'
import { useRead } from '../../../data/read.ts'
import { oneOf, pageOf } from '../../../data/search.ts'
import {
  type CampaignRecipientOutcome,
  CampaignRecipientsDocument,
  type CampaignRecipientsQuery,
  type EditedCampaignFragment,
} from '../../../graphql/graphql.ts'
import { Address } from '../../../parts/address.tsx'
import { Button } from '../../../parts/button.tsx'
import { SelectField } from '../../../parts/field.tsx'
import { Section } from '../../../parts/page.tsx'
import { Pager } from '../../../parts/pager.tsx'
import { Badge, Empty, Loading, ProblemNote, type Tone } from '../../../parts/state.tsx'
import { Table } from '../../../parts/table.tsx'
import { toast } from '../../../parts/toast.tsx'
import { outcomes } from '../search.ts'
import { saveRecipients } from './csv.ts'

const options = [{ value: '', label: 'All who have an email' }, ...outcomes.map((value) => ({ value, label: words(value) }))]

/** Who got a campaign, by what became of their email, and who was excluded and why. */
export function Recipients({ campaign: { id } }: { campaign: EditedCampaignFragment }) {
  const { outcome, after, before } = useSearch({ from: '/signed-in/$project/campaigns/$campaign' })
  const navigate = useNavigate({ from: '/$project/campaigns/$campaign' })
  const variables = { id, filter: { ...(outcome && { outcome }) }, ...pageOf({ after, before }) }
  const [{ data, error }, ask] = useRead({ query: CampaignRecipientsDocument, variables })
  const again = () => ask({ requestPolicy: 'network-only' })
  useLiveRefresh(({ campaign }) => campaign?.id === id, again)
  const list = data?.campaign?.recipients
  const choose = (value: string) =>
    void navigate({ search: (old) => ({ ...old, outcome: oneOf(outcomes, value), after: undefined, before: undefined }), replace: true })
  return (
    <Section title="Recipients" actions={<Download id={id} outcome={outcome} />}>
      <SelectField label="What became of them" options={options} value={outcome ?? ''} onChange={(event) => choose(event.target.value)} />
      {error && <ProblemNote problem={problemOf(error)} onRetry={again} />}
      {!list && !error && <Loading rows={8} />}
      {list?.nodes.length === 0 && <Empty icon="users" title="Nobody" />}
      {list && list.nodes.length > 0 && (
        <>
          <List rows={list.nodes} />
          <Pager info={list.pageInfo} total={list.totalCount} />
        </>
      )}
    </Section>
  )
}

type Row = NonNullable<CampaignRecipientsQuery['campaign']>['recipients']['nodes'][number]

const tones: Partial<Record<CampaignRecipientOutcome, Tone>> = {
  DELIVERED: 'good',
  OPENED: 'info',
  CLICKED: 'info',
  BOUNCED: 'bad',
  COMPLAINED: 'bad',
  FAILED: 'bad',
  REJECTED: 'bad',
  SUPPRESSED: 'warn',
  CANCELLED: 'warn',
  EXCLUDED: 'warn',
}

function List({ rows }: { rows: Row[] }) {
  const { id: project } = useProject()
  return (
    <Table
      label="Recipients"
      rows={rows}
      keyOf={({ address }) => address}
      columns={[
        {
          name: 'Address',
          cell: ({ address, email }) =>
            email ? (
              <Link to="/$project/emails/$email" params={{ project, email: email.id }}>
                <Address of={address} />
              </Link>
            ) : (
              <Address of={address} />
            ),
        },
        { name: 'Outcome', cell: ({ outcome }) => <Badge tone={tones[outcome] ?? 'neutral'}>{words(outcome)}</Badge> },
        { name: 'Why', wide: true, cell: ({ reason }) => reason },
      ]}
    />
  )
}

function Download({ id, outcome }: { id: string; outcome: CampaignRecipientOutcome | undefined }) {
  const { id: project } = useProject()
  const [busy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    const problem = await saveRecipients({ project, campaign: id, outcome })
    setBusy(false)
    if (problem) toast('The file could not be made', problem)
  }
  return (
    <Button icon="arrow-down" busy={busy} onClick={save}>
      {busy ? 'Making the file…' : 'Save as CSV'}
    </Button>
  )
}
