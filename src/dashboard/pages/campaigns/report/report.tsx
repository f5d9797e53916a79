import { useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { moment, words } from '../../../data/format.ts'
import type { EditedCampaignFragment } from '../../../graphql/graphql.ts'
import { Facts } from '../../../parts/facts.tsx'
import { Page, Section } from '../../../parts/page.tsx'
import { Note } from '../../../parts/state.tsx'
import { Tabs } from '../../../parts/tabs.tsx'
import { More } from '../more.tsx'
import { reportTabs } from '../search.ts'
import { StatusBadge } from '../status.tsx'
import { CancelButton, PauseButton } from '../stopping.tsx'
import { ContentOf } from './content-of.tsx'
import { Figures } from './figures.tsx'
import { Links } from './links.tsx'
import { Recipients } from './recipients.tsx'
import { Running } from './running.tsx'

const tabs = [
  { name: 'overview', label: 'Overview' },
  { name: 'recipients', label: 'Recipients' },
  { name: 'links', label: 'Links' },
  { name: 'content', label: 'Content' },
] as const

/** What becomes of a campaign, as it happens: how far it is, what its emails did, and who got it. */
export function Report({ campaign, above }: { campaign: EditedCampaignFragment; above: ReactNode }) {
  const { tab } = useSearch({ from: '/signed-in/$project/campaigns/$campaign' })
  const shown = reportTabs.find((one) => one === tab) ?? 'overview'
  const isRunning = campaign.status === 'SENDING'
  return (
    <Page
      title={campaign.name}
      above={above}
      actions={
        <>
          <StatusBadge status={campaign.status} paused={campaign.paused} />
          {isRunning && <PauseButton campaign={campaign} />}
          {isRunning && <CancelButton campaign={campaign} />}
          <More campaign={campaign} />
        </>
      }
    >
      {campaign.statusReason && <Note kind="warn">{campaign.statusReason}</Note>}
      {isRunning && <Running campaign={campaign} />}
      <Tabs label="Parts of the report" tabs={tabs} shown={shown} />
      {shown === 'overview' && (
        <>
          <Figures stats={campaign.stats} />
          <About campaign={campaign} />
        </>
      )}
      {shown === 'recipients' && <Recipients campaign={campaign} />}
      {shown === 'links' && <Links campaign={campaign} />}
      {shown === 'content' && <ContentOf campaign={campaign} />}
    </Page>
  )
}

function About({ campaign }: { campaign: EditedCampaignFragment }) {
  const { audienceType, segment, sentAt, subject, from, fromName, template, source, type } = campaign
  return (
    <Section title="About it">
      <Facts
        rows={[
          ['Subject', subject],
          ['From', fromName ? `${fromName} <${from}>` : from],
          ['Type', words(type)],
          ['Audience', audienceType === 'SEGMENT' ? (segment?.name ?? 'A segment that was deleted') : words(audienceType)],
          ['Copy of', source?.name],
          ['Template', template?.name],
          ['Started', sentAt && moment(sentAt)],
        ]}
      />
    </Section>
  )
}
