import { useAction } from '../../data/action.ts'
import { words } from '../../data/format.ts'
import { useSession, useViewer } from '../../data/session.tsx'
import { JoinProjectDocument } from '../../graphql/graphql.ts'
import { Button } from '../../parts/button.tsx'
import { Time } from '../../parts/facts.tsx'
import { Section } from '../../parts/page.tsx'
import { ProblemNote } from '../../parts/state.tsx'

/** Invitations to projects, to be accepted. */
export function Invitations() {
  const { invitations } = useViewer()
  const { refresh } = useSession()
  const { run, problem } = useAction(JoinProjectDocument)
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
            <Button onClick={() => join(id)} aria-label={`Join ${projectName}`}>
              Join
            </Button>
          </li>
        ))}
      </ul>
    </Section>
  )
}
