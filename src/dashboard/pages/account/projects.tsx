import { Link, Navigate, useNavigate, useSearch } from '@tanstack/react-router'
import { useAction } from '../../data/action.ts'
import { problemWith } from '../../data/failures.ts'
import { words } from '../../data/format.ts'
import { useSession, useViewer } from '../../data/session.tsx'
import { CreateProjectDocument, JoinProjectDocument } from '../../graphql/graphql.ts'
import { Button } from '../../parts/button.tsx'
import { Time } from '../../parts/facts.tsx'
import { TextField } from '../../parts/field.tsx'
import { Form } from '../../parts/form.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { Badge, Empty, ProblemNote } from '../../parts/state.tsx'
import { AccountMenu, ThemeMenu } from '../../shell/account-menu.tsx'

/** The projects of a person, invitations to others, and a new one. */
export function Projects() {
  const { project: from } = useSearch({ from: '/signed-in/' })
  const { projects, invitations } = useViewer()
  if (from && projects.nodes.some(({ id }) => id === from)) return <Navigate to="/$project" params={{ project: from }} replace />
  return (
    <div className="shell without-side">
      <header className="top">
        <span className="brand">
          <img src="/favicon.svg" alt="" width={20} height={20} /> Postwire
        </span>
        <span className="grow" />
        <ThemeMenu />
        <AccountMenu />
      </header>
      <main id="main" className="main" tabIndex={-1}>
        <Page title="Projects" narrow>
          {invitations.length > 0 && <Invitations />}
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
      </main>
    </div>
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
      <Form onSubmit={(fields) => void create(fields)} problem={problem} fields={['name']}>
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

function Invitations() {
  const { invitations } = useViewer()
  const { refresh } = useSession()
  const { run, busy, problem } = useAction(JoinProjectDocument)
  const join = async (invitationId: string) => {
    if (await run({ input: { invitationId } })) refresh()
  }
  return (
    <Section title="Invitations">
      {problem && <ProblemNote problem={problem} />}
      <ul className="rows">
        {invitations.map(({ id, projectName, role, expiresAt }) => (
          <li key={id} className="row">
            <span className="cut">{projectName}</span>
            <span className="muted">
              {words(role)}, expires <Time at={expiresAt} relative />
            </span>
            <Button busy={busy} onClick={() => void join(id)} aria-label={`Join ${projectName}`}>
              Join
            </Button>
          </li>
        ))}
      </ul>
    </Section>
  )
}
