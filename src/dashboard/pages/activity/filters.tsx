import { useClient } from 'urql'
import type { FeedFilter } from '../../data/feed.ts'
import { findCampaigns, findContacts } from '../../data/find.ts'
import { useRead } from '../../data/read.ts'
import { NamesOfFiltersDocument } from '../../graphql/graphql.ts'
import { activityTypeNames, activityTypes } from '../../parts/activity.tsx'
import { Choices } from '../../parts/choices.tsx'
import { Lookup } from '../../parts/lookup.tsx'

const options = activityTypeNames.map((value) => ({ value, label: activityTypes[value].label }))

/** What the feed is narrowed to: types, a contact, a campaign. */
export function Filters({
  filter: { types = [], contact, campaign },
  onChange,
}: {
  filter: FeedFilter
  onChange(change: FeedFilter): void
}) {
  const client = useClient()
  const names = useNames(contact, campaign)
  return (
    <div className="filters">
      <Choices label="Type" options={options} chosen={types} onChange={(chosen) => onChange({ types: chosen })} />
      <Lookup
        label="Contact"
        chosen={contact && (names.contact ?? contact)}
        find={(text) => findContacts(client, text)}
        onChoose={(id) => onChange({ contact: id })}
      />
      <Lookup
        label="Campaign"
        chosen={campaign && (names.campaign ?? campaign)}
        find={(text) => findCampaigns(client, text)}
        onChoose={(id) => onChange({ campaign: id })}
      />
    </div>
  )
}

function useNames(contact?: string, campaign?: string): { contact?: string | undefined; campaign?: string | undefined } {
  const variables = { contact: contact ?? '', campaign: campaign ?? '', hasContact: Boolean(contact), hasCampaign: Boolean(campaign) }
  const [{ data }] = useRead({ query: NamesOfFiltersDocument, variables, pause: !contact && !campaign })
  return { contact: data?.contact?.email, campaign: data?.campaign?.name }
}
