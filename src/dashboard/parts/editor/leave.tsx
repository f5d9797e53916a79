import { useBlocker } from '@tanstack/react-router'
import { Button } from '../button.tsx'
import { Dialog } from '../dialog.tsx'

interface Props {
  isDirty: boolean
  /** The part of the address that opens the drawer in which it was changed: closing that, or opening another, loses it as well. */
  drawer?: 'step'
}

/** Asks before a page or a drawer with unsaved changes is left, also by closing the tab. */
export function LeaveGuard({ isDirty, drawer }: Props) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      isDirty &&
      (current.pathname !== next.pathname || (drawer !== undefined && partOf(current.search, drawer) !== partOf(next.search, drawer))),
    enableBeforeUnload: isDirty,
    withResolver: true,
  })
  const stay = () => blocker.reset?.()
  return (
    <Dialog title="Leave without saving?" open={blocker.status === 'blocked'} onClose={stay}>
      <p>What you have changed {drawer ? 'here' : 'on this page'} is not saved, and would be lost.</p>
      <div className="actions end">
        <Button onClick={stay}>Stay here</Button>
        <Button kind="danger" onClick={() => blocker.proceed?.()}>
          Leave without saving
        </Button>
      </div>
    </Dialog>
  )
}

// Only some pages have the part.
function partOf(search: object, name: string): unknown {
  return name in search ? search[name as keyof typeof search] : undefined
}
