import { Link, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useAction } from '../../data/action.ts'
import { problemOf } from '../../data/failures.ts'
import { number, words } from '../../data/format.ts'
import { useIsAdmin, useProject } from '../../data/project.tsx'
import { useRead } from '../../data/read.ts'
import { DeleteDomainDocument, type DomainStateFragment, DomainUsesDocument, type DomainUsesQuery } from '../../graphql/graphql.ts'
import { Button } from '../../parts/button.tsx'
import { ConfirmDialog } from '../../parts/dialog.tsx'
import { Section } from '../../parts/page.tsx'
import { Loading, Note, ProblemNote } from '../../parts/state.tsx'
import { toast } from '../../parts/toast.tsx'

/** What sends from a domain, and the way to delete it once nothing does. */
export function Deletion({ domain }: { domain: DomainStateFragment }) {
  const isAdmin = useIsAdmin()
  const [{ data, error }, ask] = useRead({ query: DomainUsesDocument, variables: { id: domain.id }, requestPolicy: 'network-only' })
  const usage = data?.domain?.usage
  return (
    <Section
      title="What sends from it"
      actions={isAdmin && <Delete domain={domain} canDelete={usage?.canDelete ?? error === undefined} isRead={usage !== undefined} />}
    >
      {error && <ProblemNote problem={problemOf(error)} onRetry={() => ask({ requestPolicy: 'network-only' })} />}
      {!usage && !error && <Loading rows={2} />}
      {usage && !usage.canDelete && (
        <Note kind="warn">
          It cannot be deleted now. First give these templates another sender or delete them, and cancel these campaigns or wait until they
          are sent.
        </Note>
      )}
      {usage && <Uses usage={usage} />}
    </Section>
  )
}

type Usage = NonNullable<DomainUsesQuery['domain']>['usage']

function Uses({ usage: { templates, campaigns } }: { usage: Usage }) {
  const { id: project } = useProject()
  if (templates.totalCount + campaigns.totalCount === 0)
    return <p className="muted">No template sends from it, and no campaign that is scheduled or being sent.</p>
  return (
    <>
      <Use title="Templates" total={templates.totalCount} shown={templates.nodes.length}>
        {templates.nodes.map(({ id, name }) => (
          <li key={id} className="row">
            <Link to="/$project/templates/$template" params={{ project, template: id }}>
              {name}
            </Link>
          </li>
        ))}
      </Use>
      <Use title="Campaigns" total={campaigns.totalCount} shown={campaigns.nodes.length}>
        {campaigns.nodes.map(({ id, name, status }) => (
          <li key={id} className="row">
            <Link to="/$project/campaigns/$campaign" params={{ project, campaign: id }}>
              {name}
            </Link>
            <span className="muted">{words(status)}</span>
          </li>
        ))}
      </Use>
    </>
  )
}

function Use({ title, total, shown, children }: { title: string; total: number; shown: number; children: ReactNode }) {
  if (total === 0) return null
  return (
    <div>
      <h3>
        {title} ({number(total)})
      </h3>
      <ul className="rows">{children}</ul>
      {total > shown && <p className="muted">And {number(total - shown)} more.</p>}
    </div>
  )
}

function Delete({ domain: { id, domain }, canDelete, isRead }: { domain: DomainStateFragment; canDelete: boolean; isRead: boolean }) {
  const { id: project } = useProject()
  const navigate = useNavigate()
  const [isAsked, setIsAsked] = useState(false)
  const { run, problem, reset } = useAction(DeleteDomainDocument)
  const remove = async () => {
    if (!(await run({ input: { id } }))) return
    toast(`${domain} has been deleted`)
    await navigate({ to: '/$project/domains', params: { project }, ignoreBlocker: true })
  }
  const ask = () => {
    reset()
    setIsAsked(true)
  }
  return (
    <>
      <Button kind="danger" icon="trash" waits={!isRead} disabled={!canDelete} onClick={ask}>
        Delete the domain
      </Button>
      <ConfirmDialog
        open={isAsked}
        onClose={() => setIsAsked(false)}
        title="Delete this domain?"
        verb="Delete"
        typed={domain}
        problem={problem}
        onConfirm={remove}
      >
        Nothing can be sent from it any more. Its key is deleted as well: if you add it again, its DKIM record is another one. It cannot be
        undone.
      </ConfirmDialog>
    </>
  )
}
