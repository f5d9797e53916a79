import { useBlocker } from '@tanstack/react-router'
import { Button } from '../button.tsx'
import { Dialog } from '../dialog.tsx'

/** Asks before a page with unsaved changes is left, also by closing the tab. */
export function LeaveGuard({ isDirty }: { isDirty: boolean }) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
    enableBeforeUnload: isDirty,
    withResolver: true,
  })
  const stay = () => blocker.reset?.()
  return (
    <Dialog title="Leave without saving?" open={blocker.status === 'blocked'} onClose={stay}>
      <p>What you have changed on this page is not saved, and would be lost.</p>
      <div className="actions end">
        <Button onClick={stay}>Stay here</Button>
        <Button kind="danger" onClick={() => blocker.proceed?.()}>
          Leave without saving
        </Button>
      </div>
    </Dialog>
  )
}
