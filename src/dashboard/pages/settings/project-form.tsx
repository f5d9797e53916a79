import { useAction } from '../../data/action.ts'
import { problemOf, problemWith } from '../../data/failures.ts'
import { moment } from '../../data/format.ts'
import { useIsAdmin } from '../../data/project.tsx'
import { useRead } from '../../data/read.ts'
import { useSession } from '../../data/session.tsx'
import { ProjectSettingsDocument, type ProjectSettingsQuery, type Tracking, UpdateProjectDocument } from '../../graphql/graphql.ts'
import { Button } from '../../parts/button.tsx'
import { Copyable, Facts } from '../../parts/facts.tsx'
import { SelectField, TextField } from '../../parts/field.tsx'
import { Form } from '../../parts/form.tsx'
import { Section } from '../../parts/page.tsx'
import { Loading, ProblemNote } from '../../parts/state.tsx'
import { toast } from '../../parts/toast.tsx'

const tracking: { value: Tracking; label: string }[] = [
  { value: 'ENABLED', label: 'All emails' },
  { value: 'MARKETING_ONLY', label: 'Marketing email only' },
  { value: 'DISABLED', label: 'None' },
]

/** Name, tracking, language and the labels of links. */
export function ProjectForm() {
  const [{ data, error }, ask] = useRead({ query: ProjectSettingsDocument })
  if (error) return <ProblemNote problem={problemOf(error)} onRetry={() => ask({ requestPolicy: 'network-only' })} />
  return data ? <Fields project={data.project} /> : <Loading rows={6} />
}

const names = ['name', 'language', 'tracking', 'utm.source', 'utm.medium', 'utm.campaign']

function Fields({ project: { id, name, tracking: tracked, language, createdAt, utm } }: { project: ProjectSettingsQuery['project'] }) {
  const isAdmin = useIsAdmin()
  const { refresh } = useSession()
  const { run, busy, problem } = useAction(UpdateProjectDocument)
  const save = async (fields: Record<string, string>) => {
    const { source = '', medium = '', campaign = '' } = fields
    const labels = source || medium || campaign ? { source, medium, ...(campaign && { campaign }) } : null
    const input = { name: fields.name ?? '', language: fields.language ?? '', tracking: fields.tracking as Tracking, utm: labels }
    if (!(await run({ input }))) return
    refresh()
    toast('Settings saved')
  }
  return (
    <Section title="Project">
      <Facts
        rows={[
          ['Id', <Copyable key="id" text={id} what="Id" />],
          ['Created', moment(createdAt)],
        ]}
      />
      <Form onSubmit={save} problem={problem} fields={names} className="limited">
        <TextField
          label="Name"
          name="name"
          defaultValue={name}
          readOnly={!isAdmin}
          hint="Also the sender’s name of emails that have none"
          problem={problemWith(problem, 'name')}
        />
        <SelectField
          label="Track opens and clicks of"
          name="tracking"
          defaultValue={tracked}
          disabled={!isAdmin}
          options={tracking}
          problem={problemWith(problem, 'tracking')}
        />
        <TextField
          label="Language"
          name="language"
          defaultValue={language}
          readOnly={!isAdmin}
          hint="Of footers and hosted pages for contacts without a locale, such as en or pt-BR"
          problem={problemWith(problem, 'language')}
        />
        <fieldset>
          <legend>UTM labels of links in marketing emails</legend>
          {(['source', 'medium', 'campaign'] as const).map((label) => (
            <TextField
              key={label}
              label={`utm_${label}`}
              name={label}
              defaultValue={utm?.[label] ?? ''}
              readOnly={!isAdmin}
              problem={problemWith(problem, `utm.${label}`)}
            />
          ))}
          <p className="hint">Leave all three empty to add none.</p>
        </fieldset>
        {isAdmin && (
          <div className="actions">
            <Button kind="primary" type="submit" busy={busy}>
              Save
            </Button>
          </div>
        )}
      </Form>
    </Section>
  )
}
