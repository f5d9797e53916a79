import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useClient } from 'urql'
import { useAction } from '../../data/action.ts'
import { problemWith } from '../../data/failures.ts'
import { findTemplates } from '../../data/find.ts'
import { useProject } from '../../data/project.tsx'
import { CreateCampaignDocument } from '../../graphql/graphql.ts'
import { Button } from '../../parts/button.tsx'
import { CloseButton, Dialog } from '../../parts/dialog.tsx'
import { NoDomainNote, useSenderDomains } from '../../parts/editor/content-fields.tsx'
import { firstContent, ModeField } from '../../parts/editor/mode-field.tsx'
import { TextField } from '../../parts/field.tsx'
import { Form } from '../../parts/form.tsx'
import { type Found, Lookup } from '../../parts/lookup.tsx'
import { toast } from '../../parts/toast.tsx'

/** Begins a campaign to all contacts, with the content of a template or with its own, and opens its first step. */
export function NewCampaign({ open, onClose }: { open: boolean; onClose(): void }) {
  const { id: project } = useProject()
  const navigate = useNavigate()
  const { run, busy, problem, reset } = useAction(CreateCampaignDocument)
  const [template, setTemplate] = useState<Found>()
  const [domain] = useSenderDomains() ?? []
  const close = () => {
    reset()
    onClose()
  }
  const create = async ({ name = '', subject = '', from = '', mode }: Record<string, string>) => {
    const content = template ? { templateId: template.id } : { subject, from, ...firstContent(mode) }
    const data = await run({ input: { name, audienceType: 'ALL', ...content } })
    if (!data) return
    toast('Campaign created')
    await navigate({ to: '/$project/campaigns/$campaign', params: { project, campaign: data.createCampaign.campaign.id } })
  }
  return (
    <Dialog title="New campaign" open={open} onClose={close}>
      <Form onSubmit={create} problem={problem} fields={['name', 'subject', 'from']} label="New campaign">
        <NoDomainNote />
        <TextField
          label="Name"
          name="name"
          autoComplete="off"
          maxLength={100}
          hint="For you: recipients do not see it"
          problem={problemWith(problem, 'name')}
        />
        <TemplateChoice chosen={template} onChoose={setTemplate} />
        {!template && (
          <>
            <TextField label="Subject" name="subject" autoComplete="off" problem={problemWith(problem, 'subject')} />
            <TextField
              key={domain}
              label="From"
              name="from"
              type="email"
              defaultValue={domain && `news@${domain}`}
              problem={problemWith(problem, 'from')}
            />
            <ModeField what="campaign" />
          </>
        )}
        <div className="actions end">
          <CloseButton />
          <Button kind="primary" type="submit" busy={busy}>
            Create a draft
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}

interface ChoiceProps {
  chosen: Found | undefined
  onChoose(template: Found | undefined): void
}

/** A template, found by its name. */
export function TemplateChoice({ chosen, onChoose }: ChoiceProps) {
  const client = useClient()
  const [found, setFound] = useState<Found[]>([])
  const find = async (text: string) => {
    const templates = await findTemplates(client, text)
    setFound(templates)
    return templates
  }
  return (
    <div className="actions">
      <Lookup label="Use a template" chosen={chosen?.name} find={find} onChoose={(id) => onChoose(found.find((one) => one.id === id))} />
    </div>
  )
}
