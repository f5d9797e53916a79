import { Link, useParams } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import { problemOf } from '../../data/failures.ts'
import { useLive, useLiveRefresh, useProject } from '../../data/project.tsx'
import { useRead } from '../../data/read.ts'
import { CampaignDocument, CampaignProgressDocument, type CampaignStateFragment } from '../../graphql/graphql.ts'
import { Icon } from '../../parts/icon.tsx'
import { Page } from '../../parts/page.tsx'
import { Empty, Loading, ProblemNote } from '../../parts/state.tsx'
import { Drafting } from './draft/drafting.tsx'
import { Report } from './report/report.tsx'

/** A campaign: its steps until it is sent, then what becomes of it, as it happens. */
export function Campaign() {
  const { campaign: id } = useParams({ from: '/signed-in/$project/campaigns/$campaign' })
  const [{ data, error, fetching }, ask] = useRead({ query: CampaignDocument, variables: { id } })
  const again = () => ask({ requestPolicy: 'network-only' })
  useLiveRefresh(({ type, campaign }) => type.startsWith('CAMPAIGN_') && campaign?.id === id, again)
  const state = useProgress(id)
  const readAt = data?.campaign?.updatedAt
  const changedAt = state?.updatedAt
  const readAgain = useEffectEvent(again)
  useEffect(() => {
    if (readAt !== undefined && changedAt !== undefined && changedAt > readAt) readAgain()
  }, [readAt, changedAt])
  const found = data?.campaign?.id === id ? data.campaign : undefined
  if (!found)
    return (
      <Page title="Campaign" above={<Back />}>
        {error && <ProblemNote problem={problemOf(error)} onRetry={again} />}
        {!error && fetching && <Loading rows={8} />}
        {!error && !fetching && <Empty icon="send" title="This campaign does not exist, or was deleted" />}
      </Page>
    )
  // Of what was read and what was pushed, the newer one.
  const campaign = state && state.updatedAt >= found.updatedAt ? { ...found, ...state, updatedAt: found.updatedAt } : found
  const isEditable = campaign.status === 'DRAFT' || campaign.status === 'SCHEDULED'
  return isEditable ? (
    <Drafting key={id} campaign={campaign} above={<Back />} onRead={again} />
  ) : (
    <Report key={id} campaign={campaign} above={<Back />} />
  )
}

function useProgress(id: string): CampaignStateFragment | undefined {
  const live = useLive()
  const [state, setState] = useState<CampaignStateFragment>()
  useEffect(() => live.watch(CampaignProgressDocument, { id }, ({ campaignProgress }) => setState(campaignProgress)), [live, id])
  return state?.id === id ? state : undefined
}

function Back() {
  const { id: project } = useProject()
  return (
    <Link to="/$project/campaigns" params={{ project }} className="back">
      <Icon name="chevron-left" />
      Campaigns
    </Link>
  )
}
