import { type Action, useAction } from '../../data/action.ts'
import {
  type EditedTemplateFragment,
  UpdateTemplateDocument,
  type UpdateTemplateMutation,
  type UpdateTemplateMutationVariables,
} from '../../graphql/graphql.ts'
import { type Content, contentOf } from '../../parts/editor/content.ts'
import { type Saving, useSaving } from '../../parts/editor/saving.ts'
import { toast } from '../../parts/toast.tsx'
import { textOfDocument } from '../../parts/visual/document.ts'

type Edited = Content & {
  name: string
  description: string
  /** The document of a visual template as text; '' for HTML. */
  document: string
}

function editedOf(template: EditedTemplateFragment): Edited {
  const { name, description, mode, document } = template
  return { ...contentOf(template), name, description: description ?? '', document: mode === 'VISUAL' ? textOfDocument(document) : '' }
}

// The body of a visual template is made by the server.
function withoutBody<T extends { body?: unknown }>(changes: T, document: string | null | undefined): T | Omit<T, 'body'> {
  if (!document) return changes
  const { body: _, ...rest } = changes
  return rest
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
    store: async ({ document, ...changes }, ifUpdatedAt) => {
      const written = document ? { document: JSON.parse(document) as unknown } : {}
      const data = await action.run({
        input: { id: template.id, ...(ifUpdatedAt && { ifUpdatedAt }), ...withoutBody(changes, document), ...written },
      })
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
