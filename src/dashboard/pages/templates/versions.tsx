import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useAction } from '../../data/action.ts'
import { problemOf } from '../../data/failures.ts'
import { bytes, moment } from '../../data/format.ts'
import { useRead } from '../../data/read.ts'
import {
  type EditedTemplateFragment,
  RestoreTemplateVersionDocument,
  type SavedVersionFragment,
  TemplateVersionDocument,
  TemplateVersionsDocument,
} from '../../graphql/graphql.ts'
import { Button } from '../../parts/button.tsx'
import { ConfirmDialog, Dialog } from '../../parts/dialog.tsx'
import { Diff } from '../../parts/editor/diff.tsx'
import { Time } from '../../parts/facts.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Badge, Empty, Loading, Note, ProblemNote } from '../../parts/state.tsx'
import { toast } from '../../parts/toast.tsx'

interface Props {
  template: EditedTemplateFragment
  isDirty: boolean
  /** What the address of the page says: the list, or one version by its number. */
  shown: 'all' | number | undefined
  onClose(): void
}

/** The drawer with what a template said before: who saved it, what differs from now, and the way back. */
export function Versions({ template, isDirty, shown, onClose }: Props) {
  const isOne = typeof shown === 'number'
  return (
    <Dialog kind="drawer" title={isOne ? `Version ${shown}` : 'Versions'} open={shown !== undefined} onClose={onClose}>
      {shown === 'all' && <List id={template.id} />}
      {isOne && <One template={template} no={shown} isDirty={isDirty} onRestored={onClose} />}
    </Dialog>
  )
}

const systems = { KEY: 'By a program, with the secret key', SYSTEM: 'By Postwire', USER: 'By somebody without an account now' }

function savedBy({ actor }: SavedVersionFragment): string {
  if (!actor) return 'Before versions were kept'
  return actor.email ? `By ${actor.email}` : systems[actor.type]
}

function List({ id }: { id: string }) {
  const [{ data, error }, ask] = useRead({ query: TemplateVersionsDocument, variables: { id }, requestPolicy: 'cache-and-network' })
  const versions = data?.template?.versions
  return (
    <>
      <p className="muted">The last 20 saves are kept: each can be compared with what the template says now, and restored.</p>
      {error && <ProblemNote problem={problemOf(error)} onRetry={() => ask({ requestPolicy: 'network-only' })} />}
      {!versions && !error && <Loading rows={6} />}
      {versions?.length === 0 && (
        <Empty icon="file" title="No versions yet">
          The first is kept with the next change.
        </Empty>
      )}
      <ol className="versions">
        {versions?.map((version, at) => (
          <li key={version.no}>
            <Link to="." search={(before: object) => ({ ...before, versions: version.no })} replace resetScroll={false}>
              <span>
                <strong>Version {version.no}</strong> {at === 0 && <Badge tone="good">Now</Badge>}{' '}
                {version.mode === 'VISUAL' && <Badge>Visual</Badge>}
              </span>
              <span className="cut">{version.subject}</span>
              <span className="muted">
                {savedBy(version)} · <Time at={version.createdAt} relative /> · {bytes(version.bytes)}
              </span>
            </Link>
          </li>
        ))}
      </ol>
    </>
  )
}

interface OneProps {
  template: EditedTemplateFragment
  no: number
  isDirty: boolean
  onRestored(): void
}

function One({ template, no, isDirty, onRestored }: OneProps) {
  const { id, updatedAt } = template
  const [{ data, error }, ask] = useRead({ query: TemplateVersionDocument, variables: { id, no } })
  const now = data?.template
  const version = now?.version?.no === no ? now.version : undefined
  const isSame = (['subject', 'previewText', 'mode', 'body'] as const).every((part) => now?.[part] === version?.[part])
  return (
    <>
      <Link to="." search={(before: object) => ({ ...before, versions: 'all' as const })} replace resetScroll={false} className="back">
        <Icon name="chevron-left" />
        All versions
      </Link>
      {error && <ProblemNote problem={problemOf(error)} onRetry={() => ask({ requestPolicy: 'network-only' })} />}
      {!version && !error && <Loading rows={8} />}
      {now && version && (
        <>
          <p>
            {savedBy(version)} on {moment(version.createdAt)}
          </p>
          {isSame ? (
            <p className="muted">This is what the template says now.</p>
          ) : (
            <>
              <p className="muted">What restoring it changes: + comes back, − goes.</p>
              {now.mode !== version.mode && <p>It becomes {version.mode === 'VISUAL' ? 'a visual template' : 'HTML'} again.</p>}
              <Diff label="Difference in subject and preview text" before={headOf(now)} after={headOf(version)} />
              <Diff label="Difference in the HTML" before={now.body ?? ''} after={version.body ?? ''} />
              <Restore id={id} no={no} ifUpdatedAt={updatedAt} isDirty={isDirty} onRestored={onRestored} />
            </>
          )}
        </>
      )}
    </>
  )
}

function headOf({ subject, previewText }: { subject: string; previewText: string | null }): string {
  return `${subject}\n${previewText ?? ''}`
}

interface RestoreProps {
  id: string
  no: number
  ifUpdatedAt: string
  isDirty: boolean
  onRestored(): void
}

function Restore({ id, no, ifUpdatedAt, isDirty, onRestored }: RestoreProps) {
  const [isAsked, setIsAsked] = useState(false)
  const { run, problem, reset } = useAction(RestoreTemplateVersionDocument)
  const close = () => {
    setIsAsked(false)
    reset()
  }
  const restore = async () => {
    if (!(await run({ input: { id, no, ifUpdatedAt } }))) return
    close()
    toast(`Version ${no} restored`, 'It is saved as a new version.')
    onRestored()
  }
  if (isDirty) return <Note kind="warn">You have unsaved changes: save them before you restore another version.</Note>
  return (
    <div className="actions">
      <Button kind="primary" onClick={() => setIsAsked(true)}>
        Restore this version
      </Button>
      <ConfirmDialog
        open={isAsked}
        onClose={close}
        title={`Restore version ${no}?`}
        verb="Restore"
        refusal="Cancel"
        problem={problem}
        onConfirm={restore}
      >
        Subject, preview text and body become what they were. What the template says now stays among its versions.
      </ConfirmDialog>
    </div>
  )
}
