import { Toast } from '@base-ui/react/toast'
import { IconButton } from './button.tsx'

const manager = Toast.createToastManager()

/** Says for some seconds what has been done; screen readers announce it. F6 moves the focus to it. */
export function toast(title: string, description?: string): void {
  manager.add({ title, ...(description && { description }) })
}

/** Where toasts appear; once, in the frame of all pages. */
export function Toasts() {
  return (
    <Toast.Provider toastManager={manager} timeout={6_000} limit={3}>
      <Toast.Portal>
        <Toast.Viewport className="toasts">
          <List />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}

function List() {
  const { toasts } = Toast.useToastManager()
  return toasts.map((one) => (
    <Toast.Root key={one.id} toast={one} className="toast">
      <Toast.Content className="toast-content">
        <div>
          <Toast.Title className="toast-title" render={<p />} />
          <Toast.Description className="muted" />
        </div>
        <Toast.Close render={<IconButton icon="close" label="Close" />} />
      </Toast.Content>
    </Toast.Root>
  ))
}
