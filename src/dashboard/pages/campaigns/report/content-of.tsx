import { useNavigate, useSearch } from '@tanstack/react-router'
import type { EditedCampaignFragment } from '../../../graphql/graphql.ts'
import { PreviewPanel, usePreview } from '../../../parts/editor/preview.tsx'

/** What a campaign says, as a contact gets it. */
export function ContentOf({ campaign: { id } }: { campaign: EditedCampaignFragment }) {
  const { contact, view, width, scheme } = useSearch({ from: '/signed-in/$project/campaigns/$campaign' })
  const navigate = useNavigate({ from: '/$project/campaigns/$campaign' })
  const preview = usePreview({ campaignId: id, ...(contact && { contactId: contact }) })
  return (
    <PreviewPanel
      preview={preview}
      look={{ contact, view, width, scheme }}
      onLook={(part) => void navigate({ search: (before) => ({ ...before, ...part }), replace: true, resetScroll: false })}
    />
  )
}
