/** Light, dark, or as the system says. */
export type Theme = 'system' | 'light' | 'dark'

const key = 'postwire.theme'

/** The theme that this browser was given. */
export function storedTheme(): Theme {
  const stored = localStorage.getItem(key)
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}

/** Shows a theme, and remembers it in this browser. */
export function applyTheme(theme: Theme): void {
  if (theme === 'system') localStorage.removeItem(key)
  else localStorage.setItem(key, theme)
  document.documentElement.dataset.theme = theme
  for (const notify of watchers) notify()
}

const watchers = new Set<() => void>()

/** Calls a function whenever a theme is shown, until the returned one is called. */
export function watchTheme(notify: () => void): () => void {
  watchers.add(notify)
  return () => void watchers.delete(notify)
}
