import { useNavigate } from '@tanstack/react-router'
import { useAction } from '../../data/action.ts'
import { problemWith } from '../../data/failures.ts'
import { useProject } from '../../data/project.tsx'
import { CreateTemplateDocument, type EmailType } from '../../graphql/graphql.ts'
import { Button } from '../../parts/button.tsx'
import { CloseButton, Dialog } from '../../parts/dialog.tsx'
import { emailTypes } from '../../parts/editor/content.ts'
import { NoDomainNote, useSenderDomains } from '../../parts/editor/content-fields.tsx'
import { firstContent, ModeField } from '../../parts/editor/mode-field.tsx'
import { SelectField, TextField } from '../../parts/field.tsx'
import { Form } from '../../parts/form.tsx'
import { toast } from '../../parts/toast.tsx'

/** Creates a template with a first body, and opens its editor. */
export function NewTemplate({ open, onClose }: { open: boolean; onClose(): void }) {
  const { id: project } = useProject()
  const navigate = useNavigate()
  const [domain] = useSenderDomains() ?? []
  const { run, busy, problem, reset } = useAction(CreateTemplateDocument)
  const close = () => {
    reset()
    onClose()
  }
  const create = async ({ name = '', subject = '', from = '', type, mode }: Record<string, string>) => {
    // The value is one of the options.
    const data = await run({ input: { name, subject, from, type: type as EmailType, ...firstContent(mode) } })
    if (!data) return
    toast('Template created')
    const { id: template } = data.createTemplate.template
    await navigate({ to: '/$project/templates/$template', params: { project, template } })
  }
  return (
    <Dialog title="New template" open={open} onClose={close}>
      <Form onSubmit={create} problem={problem} fields={['name', 'subject', 'from', 'type']} label="New template">
        <NoDomainNote />
        <TextField label="Name" name="name" autoComplete="off" maxLength={100} problem={problemWith(problem, 'name')} />
        <TextField label="Subject" name="subject" autoComplete="off" problem={problemWith(problem, 'subject')} />
        <TextField
          key={domain}
          label="From"
          name="from"
          type="email"
          defaultValue={domain && `hello@${domain}`}
          problem={problemWith(problem, 'from')}
        />
        <SelectField label="Type" name="type" options={emailTypes} problem={problemWith(problem, 'type')} />
        <ModeField what="template" />
        <div className="actions end">
          <CloseButton />
          <Button kind="primary" type="submit" busy={busy}>
            Create and write
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
