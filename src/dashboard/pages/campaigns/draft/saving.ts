import { type Action, useAction } from '../../../data/action.ts'
import {
  type CampaignAudience,
  type EditedCampaignFragment,
  UpdateCampaignDocument,
  type UpdateCampaignMutation,
  type UpdateCampaignMutationVariables,
} from '../../../graphql/graphql.ts'
import { type Content, contentOf, writtenInput } from '../../../parts/editor/content.ts'
import { type Saving, useSaving } from '../../../parts/editor/saving.ts'
import { toast } from '../../../parts/toast.tsx'

/** What of a campaign is edited in its steps; '' for no segment, and for no limit. */
export type Edited = Content & { name: string; audienceType: CampaignAudience; segmentId: string; maxPerHour: string }

function editedOf(campaign: EditedCampaignFragment): Edited {
  const { name, audienceType, segment, maxPerHour } = campaign
  return { ...contentOf(campaign), name, audienceType, segmentId: segment?.id ?? '', maxPerHour: maxPerHour?.toString() ?? '' }
}

type Input = UpdateCampaignMutationVariables['input']

// An audience is given as a whole: a segment belongs to it only where it is one of a segment.
function inputOf({
  audienceType,
  segmentId,
  maxPerHour,
  ...content
}: Partial<{ [K in keyof Edited]: Edited[K] | null }>): Omit<Input, 'id'> {
  return {
    ...writtenInput(content),
    ...(audienceType && { audienceType }),
    ...(segmentId && { segmentId }),
    ...(maxPerHour !== undefined && { maxPerHour: maxPerHour ? Number(maxPerHour) : null }),
  }
}

/** A campaign that is being edited. */
export interface CampaignSaving extends Saving<Edited> {
  action: Action<UpdateCampaignMutation, UpdateCampaignMutationVariables>
  /** Replaces the content by that of a template, as it is now. */
  takeTemplate(templateId: string): Promise<boolean>
}

/** Edits a draft, or a campaign that is scheduled. */
export function useCampaignSaving(campaign: EditedCampaignFragment): CampaignSaving {
  const action = useAction(UpdateCampaignDocument)
  const { id } = campaign
  const saving = useSaving({
    stored: { value: editedOf(campaign), version: campaign.updatedAt },
    store: async (changes, ifUpdatedAt) => {
      const data = await action.run({ input: { id, ...(ifUpdatedAt && { ifUpdatedAt }), ...inputOf(changes) } })
      if (!data) return undefined
      toast('Campaign saved')
      return { value: editedOf(data.updateCampaign.campaign), version: data.updateCampaign.campaign.updatedAt }
    },
  })
  const take = () => {
    action.reset()
    saving.take()
  }
  const takeTemplate = async (templateId: string) =>
    (await action.run({ input: { id, templateId, ifUpdatedAt: campaign.updatedAt } })) !== undefined
  return { ...saving, take, takeTemplate, action }
}
