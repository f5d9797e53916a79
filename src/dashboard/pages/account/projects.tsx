import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useAction } from '../../data/action.ts'
import { problemWith } from '../../data/failures.ts'
import { words } from '../../data/format.ts'
import { useSession, useViewer } from '../../data/session.tsx'
import { CreateProjectDocument } from '../../graphql/graphql.ts'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/field.tsx'
import { Form } from '../../parts/form.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { Badge, Empty, Note } from '../../parts/state.tsx'
import { Invitations } from './invitations.tsx'

/** The projects of a person, invitations to others, and a new one. */
export function Projects() {
  const { project: from } = useSearch({ from: '/signed-in/account/' })
  const { projects, invitations, emailVerified } = useViewer()
  const { accountEmailsEnabled } = useSession().config
  const navigate = useNavigate()
  const wanted = projects.nodes.find(({ id }) => id === from)?.id
  useEffect(() => {
    if (wanted) void navigate({ to: '/$project', params: { project: wanted }, replace: true })
  }, [wanted, navigate])
  return (
    <Page title="Projects" narrow>
      {invitations.length > 0 && <Invitations />}
      {!emailVerified && accountEmailsEnabled && (
        <Note>
          <p>Your address is not confirmed yet. If somebody has invited you to a project, you can join it here once it is.</p>
          <Link to="/account">Confirm your address</Link>
        </Note>
      )}
      <Section title="Your projects">
        {projects.nodes.length === 0 && (
          <Empty icon="send" title="No project yet">
            A project has its own contacts, emails, domains and keys. Create your first one below.
          </Empty>
        )}
        <ul className="rows">
          {projects.nodes.map(({ id, name, role, disabled }) => (
            <li key={id}>
              <Link to="/$project" params={{ project: id }} className="row-link">
                <span className="cut">{name}</span>
                {disabled && <Badge tone="bad">Suspended</Badge>}
                {role && <span className="muted">{words(role)}</span>}
              </Link>
            </li>
          ))}
        </ul>
      </Section>
      <NewProject />
    </Page>
  )
}

function NewProject() {
  const { refresh } = useSession()
  const navigate = useNavigate()
  const { run, busy, problem } = useAction(CreateProjectDocument)
  const create = async ({ name = '' }: Record<string, string>) => {
    const data = await run({ input: { name } })
    if (!data) return
    refresh()
    await navigate({ to: '/', search: { project: data.createProject.project.id } })
  }
  return (
    <Section title="New project">
      <Form onSubmit={create} problem={problem} fields={['name']}>
        <TextField
          label="Name"
          name="name"
          required
          hint="Shown as the sender of emails that have none"
          problem={problemWith(problem, 'name')}
        />
        <div className="actions">
          <Button kind="primary" type="submit" busy={busy}>
            Create the project
          </Button>
        </div>
      </Form>
    </Section>
  )
}
