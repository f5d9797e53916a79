import { type Action, useAction } from '../../data/action.ts'
import {
  type EditedTemplateFragment,
  UpdateTemplateDocument,
  type UpdateTemplateMutation,
  type UpdateTemplateMutationVariables,
} from '../../graphql/graphql.ts'
import { type Content, contentOf, writtenInput } from '../../parts/editor/content.ts'
import { type Saving, useSaving } from '../../parts/editor/saving.ts'
import { toast } from '../../parts/toast.tsx'

type Edited = Content & { name: string; description: string }

function editedOf(template: EditedTemplateFragment): Edited {
  const { name, description } = template
  return { ...contentOf(template), name, description: description ?? '' }
}

/** A template that is being edited. */
export interface TemplateSaving extends Saving<Edited> {
  action: Action<UpdateTemplateMutation, UpdateTemplateMutationVariables>
}

/** Edits a template. */
export function useTemplateSaving(template: EditedTemplateFragment): TemplateSaving {
  const action = useAction(UpdateTemplateDocument)
  const saving = useSaving({
    stored: { value: editedOf(template), version: template.updatedAt },
    store: async (changes, ifUpdatedAt) => {
      const data = await action.run({ input: { id: template.id, ...(ifUpdatedAt && { ifUpdatedAt }), ...writtenInput(changes) } })
      if (!data) return undefined
      const { template: stored } = data.updateTemplate
      toast('Template saved')
      return { value: editedOf(stored), version: stored.updatedAt }
    },
  })
  const take = () => {
    action.reset()
    saving.take()
  }
  return { ...saving, take, action }
}
