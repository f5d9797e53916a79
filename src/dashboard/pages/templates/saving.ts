import { useEffect, useEffectEvent } from 'react'
import { type Action, useAction } from '../../data/action.ts'
import {
  type EditedTemplateFragment,
  UpdateTemplateDocument,
  type UpdateTemplateMutation,
  type UpdateTemplateMutationVariables,
} from '../../graphql/graphql.ts'
import { type Content, changesOf, contentOf } from '../../parts/editor/content.ts'
import { type Draft, useDraft } from '../../parts/editor/draft.ts'
import { toast } from '../../parts/toast.tsx'

/** What of a template is edited. */
export type EditedTemplate = Content & { name: string; description: string }

function editedOf(template: EditedTemplateFragment): EditedTemplate {
  return { ...contentOf(template), name: template.name, description: template.description ?? '' }
}

/** A template that is being edited. */
export interface Saving extends Pick<Draft<EditedTemplate>, 'draft' | 'isDirty' | 'isOutdated' | 'change'> {
  action: Action<UpdateTemplateMutation, UpdateTemplateMutationVariables>
  /** Stores what has changed; `replace` also when somebody else has changed it meanwhile. */
  save(mode?: 'replace'): Promise<void>
  /** Takes what is stored, and forgets what was edited. */
  take(): void
}

/** Edits a template: Ctrl-S saves. What somebody else has saved meanwhile is not replaced unless that is asked for. */
export function useSaving(template: EditedTemplateFragment): Saving {
  const { draft, base, version, isDirty, isOutdated, change, take, saved } = useDraft(editedOf(template), template.updatedAt)
  const action = useAction(UpdateTemplateDocument)
  const save = async (mode?: 'replace') => {
    if (!isDirty || action.busy) return
    const sent = draft
    const ifUpdatedAt = mode === 'replace' ? undefined : version
    const data = await action.run({ input: { id: template.id, ...(ifUpdatedAt && { ifUpdatedAt }), ...changesOf(base, sent) } })
    if (!data) return
    const stored = data.updateTemplate.template
    saved(sent, editedOf(stored), stored.updatedAt)
    toast('Template saved')
  }
  useSaveKey(save)
  const takeStored = () => {
    action.reset()
    take(editedOf(template), template.updatedAt)
  }
  return { draft, isDirty, isOutdated, change, action, save, take: takeStored }
}

function useSaveKey(save: () => Promise<void>): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== 's' || !(event.metaKey || event.ctrlKey) || event.shiftKey || event.altKey) return
    event.preventDefault()
    void save()
  })
  useEffect(() => {
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
}
