import { useEffect, useEffectEvent } from 'react'
import { Button } from '../button.tsx'
import { Note } from '../state.tsx'

interface Props {
  /** What was changed, such as template. */
  what: string
  busy: boolean
  /** Whether what the others have stored has been read, so that it can be loaded. */
  isRead: boolean
  /** Replaces what is edited here by what is stored. */
  onTake(): void
  /** Stores what is edited here all the same; undefined where that makes no sense. */
  onReplace?: (() => void) | undefined
}

/** Somebody else has changed what is edited here: neither of the two is lost without being asked. */
export function ConflictNote({ what, busy, isRead, onTake, onReplace }: Props) {
  return (
    <div role="alert">
      <Note kind="warn">
        <p>Somebody else has changed this {what} since you began to edit it. Your changes are not saved yet.</p>
        <div className="actions">
          <Button busy={busy} waits={!isRead} onClick={onTake}>
            Discard mine, load theirs
          </Button>
          {onReplace && (
            <Button kind="danger" busy={busy} onClick={onReplace}>
              Save mine over theirs
            </Button>
          )}
        </div>
      </Note>
    </div>
  )
}

/** Reads at once what was stored instead of what was refused, so that it can be loaded. */
export function useReadOnConflict(code: string | undefined, read: () => void): void {
  const run = useEffectEvent(read)
  useEffect(() => {
    if (code === 'CONFLICT') run()
  }, [code])
}
