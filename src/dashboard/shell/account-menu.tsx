import { useNavigate } from '@tanstack/react-router'
import { useSyncExternalStore } from 'react'
import { useViewer } from '../data/session.tsx'
import { applyTheme, storedTheme, type Theme, watchTheme } from '../data/theme.ts'
import { IconButton } from '../parts/button.tsx'
import { Menu, MenuItem, MenuLine, MenuText } from '../parts/menu.tsx'
import { useSignOut } from './actions.ts'

const themes: { theme: Theme; label: string }[] = [
  { theme: 'system', label: 'As the system' },
  { theme: 'light', label: 'Light' },
  { theme: 'dark', label: 'Dark' },
]

/** Light or dark. */
export function ThemeMenu() {
  const theme = useSyncExternalStore(watchTheme, storedTheme)
  return (
    <Menu align="end" trigger={<IconButton icon={theme === 'dark' ? 'moon' : 'sun'} label="Colours" />}>
      {themes.map((one) => (
        <MenuItem key={one.theme} checked={one.theme === theme} onSelect={() => applyTheme(one.theme)}>
          {one.label}
        </MenuItem>
      ))}
    </Menu>
  )
}

/** Who is signed in, and the way out. `onKeys` shows the keys. */
export function AccountMenu({ onKeys }: { onKeys?: () => void }) {
  const { email } = useViewer()
  const navigate = useNavigate()
  const signOut = useSignOut()
  return (
    <Menu align="end" trigger={<IconButton icon="user" label="Account" />}>
      <MenuText>{email}</MenuText>
      <MenuLine />
      <MenuItem icon="user" onSelect={() => void navigate({ to: '/account' })}>
        Account
      </MenuItem>
      {onKeys && (
        <MenuItem icon="list" onSelect={onKeys}>
          Keyboard shortcuts
        </MenuItem>
      )}
      <MenuItem icon="log-out" onSelect={() => void signOut()}>
        Sign out
      </MenuItem>
    </Menu>
  )
}
