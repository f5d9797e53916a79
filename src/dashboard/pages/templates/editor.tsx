import { useNavigate, useSearch } from '@tanstack/react-router'
import { useAction } from '../../data/action.ts'
import { problemWith } from '../../data/failures.ts'
import { type EditedTemplateFragment, SendTemplateTestDocument } from '../../graphql/graphql.ts'
import { Button } from '../../parts/button.tsx'
import { BodyField } from '../../parts/editor/body-field.tsx'
import { ConflictNote, useReadOnConflict } from '../../parts/editor/conflict.tsx'
import { ContentFields, contentFields } from '../../parts/editor/content-fields.tsx'
import { PreviewPanel, useContentPreview } from '../../parts/editor/preview.tsx'
import { TestMail } from '../../parts/editor/test-mail.tsx'
import { Time } from '../../parts/facts.tsx'
import { TextField } from '../../parts/field.tsx'
import { Form } from '../../parts/form.tsx'
import { Page } from '../../parts/page.tsx'
import { useUnsaved } from '../../parts/unsaved/use-unsaved.ts'
import { BackToTemplates } from './back.tsx'
import { More } from './more.tsx'
import { type TemplateSaving, useTemplateSaving } from './saving.ts'
import { Usage } from './usage.tsx'
import { Versions } from './versions.tsx'

/** Writes a template: its HTML beside what the server makes of it. */
export function Editor({ template, onRead }: { template: EditedTemplateFragment; onRead(): void }) {
  const look = useSearch({ from: '/signed-in/$project/templates/$template' })
  const navigate = useNavigate({ from: '/$project/templates/$template' })
  const showVersions = (versions: 'all' | undefined) =>
    void navigate({ search: (before) => ({ ...before, versions }), replace: true, resetScroll: false })
  const { draft, isDirty, isOutdated, change, save, take, action } = useTemplateSaving(template)
  const { id } = template
  useUnsaved(isDirty)
  const preview = useContentPreview(draft, { templateId: id }, look.contact)
  const isConflict = isOutdated || action.problem?.code === 'CONFLICT'
  useReadOnConflict(action.problem?.code, onRead)
  return (
    <Page
      title={template.name}
      above={<BackToTemplates />}
      lead={<SavedAt at={template.updatedAt} isDirty={isDirty} />}
      actions={
        <>
          <Test id={id} contact={look.contact} isDirty={isDirty} />
          <More template={template} isDirty={isDirty} onVersions={() => showVersions('all')} />
          <Button
            kind="primary"
            waits={action.busy}
            disabled={!isDirty && !action.busy}
            onClick={() => void save()}
            aria-keyshortcuts="Control+S"
          >
            Save
          </Button>
        </>
      }
    >
      {isConflict && (
        <ConflictNote what="template" busy={action.busy} isRead={isOutdated} onTake={take} onReplace={() => void save('replace')} />
      )}
      <div className="workbench">
        <Form
          onSubmit={() => void save()}
          problem={isConflict ? undefined : action.problem}
          fields={[...contentFields, 'name', 'description']}
          label="Template"
          isDisposable
          className="card"
        >
          <NameFields draft={draft} change={change} problem={action.problem} />
          <ContentFields content={draft} onChange={change} problem={action.problem ?? preview.problem} />
          <BodyField content={draft} onChange={change} preview={preview} problem={action.problem} />
        </Form>
        <PreviewPanel
          preview={preview}
          look={look}
          onLook={(part) => void navigate({ search: (before) => ({ ...before, ...part }), replace: true, resetScroll: false })}
        />
      </div>
      <Usage id={id} />
      <Versions template={template} isDirty={isDirty} shown={look.versions} onClose={() => showVersions(undefined)} />
    </Page>
  )
}

function SavedAt({ at, isDirty }: { at: string; isDirty: boolean }) {
  return (
    <span role="status">
      {isDirty ? 'Unsaved changes' : 'Saved'}
      <span aria-hidden="true">
        {' '}
        · last saved <Time at={at} relative />
      </span>
    </span>
  )
}

function Test({ id, contact, isDirty }: { id: string; contact: string | undefined; isDirty: boolean }) {
  const { run, ...state } = useAction(SendTemplateTestDocument)
  const send = async (email: string) => {
    const data = await run({ input: { id, email, ...(contact && { contactId: contact }) } })
    return data?.sendTemplateTest.message
  }
  return <TestMail isDirty={isDirty} send={send} {...state} />
}

type NameProps = Pick<TemplateSaving, 'draft' | 'change'> & { problem: TemplateSaving['action']['problem'] }

function NameFields({ draft, change, problem }: NameProps) {
  return (
    <div className="fields-beside">
      <TextField
        label="Name"
        value={draft.name}
        onChange={(event) => change({ name: event.target.value })}
        problem={problemWith(problem, 'name')}
        maxLength={100}
        autoComplete="off"
      />
      <TextField
        label="What it is for"
        value={draft.description}
        onChange={(event) => change({ description: event.target.value })}
        problem={problemWith(problem, 'description')}
        maxLength={500}
        autoComplete="off"
      />
    </div>
  )
}
