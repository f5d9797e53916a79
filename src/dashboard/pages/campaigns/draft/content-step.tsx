import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { EditedCampaignFragment } from '../../../graphql/graphql.ts'
import { ConfirmDialog } from '../../../parts/dialog.tsx'
import { BodyField } from '../../../parts/editor/body-field.tsx'
import { ContentFields, contentFields } from '../../../parts/editor/content-fields.tsx'
import { PreviewPanel, useContentPreview } from '../../../parts/editor/preview.tsx'
import { Form } from '../../../parts/form.tsx'
import type { Found } from '../../../parts/lookup.tsx'
import { toast } from '../../../parts/toast.tsx'
import { TemplateChoice } from '../new-campaign.tsx'
import type { CampaignSaving } from './saving.ts'

interface Props {
  campaign: EditedCampaignFragment
  saving: CampaignSaving
}

/** The second step: what it says, written here or taken from a template. */
export function ContentStep({ campaign, saving }: Props) {
  const { draft, change, save, action } = saving
  const { contact, view, width, scheme } = useSearch({ from: '/signed-in/$project/campaigns/$campaign' })
  const navigate = useNavigate({ from: '/$project/campaigns/$campaign' })
  const preview = useContentPreview(draft, { campaignId: campaign.id }, contact)
  const problem = action.problem?.code === 'CONFLICT' ? undefined : action.problem
  return (
    <div className="workbench">
      <Form onSubmit={() => void save()} problem={problem} fields={contentFields} label="Content" className="card" isDisposable>
        <FromTemplate campaign={campaign} saving={saving} />
        <ContentFields content={draft} onChange={change} problem={action.problem ?? preview.problem} />
        <BodyField content={draft} onChange={change} preview={preview} problem={action.problem} />
      </Form>
      <PreviewPanel
        preview={preview}
        look={{ contact, view, width, scheme }}
        onLook={(part) => void navigate({ search: (before) => ({ ...before, ...part }), replace: true, resetScroll: false })}
      />
    </div>
  )
}

function FromTemplate({ campaign, saving: { action, takeTemplate, isDirty } }: Props) {
  const [template, setTemplate] = useState<Found>()
  const close = () => {
    setTemplate(undefined)
    action.reset()
  }
  const takeOver = async () => {
    if (!template || !(await takeTemplate(template.id))) return
    close()
    toast('Content taken from the template')
  }
  return (
    <>
      {campaign.template && (
        <p className="muted">Its content was taken from the template “{campaign.template.name}”; later changes of that do not change it.</p>
      )}
      {isDirty ? (
        <p className="muted">Save first to take the content of a template instead.</p>
      ) : (
        <TemplateChoice key={campaign.updatedAt} chosen={undefined} onChoose={setTemplate} />
      )}
      <ConfirmDialog
        title={`Take the content of “${template?.name ?? ''}”?`}
        verb="Replace the content"
        refusal="Keep mine"
        open={template !== undefined}
        onClose={close}
        problem={template && action.problem}
        onConfirm={takeOver}
      >
        Subject, preview text, what it says, sender, reply-to address and type are replaced, and it is written as the template is, visual or
        in HTML. What is written here now is lost.
      </ConfirmDialog>
    </>
  )
}
