import { useNavigate } from '@tanstack/react-router'
import { useAction } from '../../data/action.ts'
import { problemWith } from '../../data/failures.ts'
import { useProject } from '../../data/project.tsx'
import { CreateDomainDocument } from '../../graphql/graphql.ts'
import { Button } from '../../parts/button.tsx'
import { CloseButton, Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/field.tsx'
import { Form } from '../../parts/form.tsx'
import { toast } from '../../parts/toast.tsx'

interface Props {
  open: boolean
  onClose(): void
}

/** Adds a domain, and leads to the records that are to be set. */
export function AddDomain({ open, onClose }: Props) {
  return (
    <Dialog title="Add a domain" open={open} onClose={onClose}>
      <AddForm />
    </Dialog>
  )
}

function AddForm() {
  const { id: project } = useProject()
  const navigate = useNavigate()
  const { run, busy, problem } = useAction(CreateDomainDocument)
  const add = async ({ domain = '' }: Record<string, string>) => {
    const data = await run({ input: { domain } })
    if (!data) return
    const added = data.createDomain.domain
    toast(`${added.domain} has been added`, added.status === 'PENDING' ? 'Set its records now.' : undefined)
    await navigate({ to: '/$project/domains/$domain', params: { project, domain: added.id } })
  }
  return (
    <Form onSubmit={add} problem={problem} fields={['domain']}>
      <TextField
        label="Domain"
        name="domain"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        hint="What is behind the @ of your sender addresses, such as example.com or news.example.com. Each sub-domain is a domain of its own."
        problem={problemWith(problem, 'domain')}
      />
      <div className="actions end">
        <CloseButton />
        <Button kind="primary" type="submit" busy={busy}>
          Add
        </Button>
      </div>
    </Form>
  )
}
