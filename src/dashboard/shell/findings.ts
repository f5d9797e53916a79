import { allPages, type PagePath } from '../pages.ts'
import type { IconName } from '../parts/icon-names.ts'

/** Something that the command palette leads to. */
export interface Finding {
  id: string
  kind: string
  title: string
  icon: IconName
  to: PagePath
  search?: Record<string, string>
}

const findable = allPages.filter(({ path, open }) => !path.slice(2).includes('$') && (!open || path === '/parts'))

/** The pages that a text leads to: all of its words are in their title or words. */
export function usePages(text: string): Finding[] {
  const asked = text.toLowerCase().split(/\s+/).filter(Boolean)
  return findable
    .filter(({ title, words = '' }) => asked.every((word) => `${title} ${words}`.toLowerCase().includes(word)))
    .map(({ path, title, icon }) => ({ id: path, kind: 'Page', title, icon: icon ?? 'chevron-right', to: path }))
}
