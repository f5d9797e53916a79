import { useEffect, useState } from 'react'
import { useClient } from 'urql'
import { findByName, type Named, type NamedKind } from '../data/find.ts'
import { allPages, type PagePath } from '../pages.ts'
import type { IconName } from '../parts/icon-names.ts'

/** Something that the command palette leads to, or does. */
export interface Finding {
  id: string
  kind: string
  title: string
  icon: IconName
  /** A page. */
  to?: PagePath
  search?: Record<string, string | true>
  params?: Record<string, string>
  /** What is done instead. */
  run?(): void
  /** Words that it is found by, besides its title. */
  words?: string
}

const findable = allPages
  .filter(({ path, open }) => !path.slice(2).includes('$') && (!open || path === '/parts'))
  .map(({ path, icon, ...page }): Finding => ({ ...page, id: path, kind: 'Page', icon: icon ?? 'chevron-right', to: path }))

// All words of the text are in its title or words.
function isMeant({ title, kind, words = '' }: Finding, text: string): boolean {
  const asked = text.toLowerCase().split(/\s+/).filter(Boolean)
  return asked.every((word) => `${title} ${kind} ${words}`.toLowerCase().includes(word))
}

// What is called so comes before what only has such a word.
function rank({ title }: Finding, asked: string): number {
  return title.toLowerCase().includes(asked.toLowerCase()) ? 0 : 1
}

const patienceMs = 200

/** What a text means, and whether more of it is being looked for. */
interface Findings {
  findings: Finding[]
  isLooking: boolean
}

/** The pages and actions that a text means, and what of the project has it in its name, as soon as that is found. */
export function useFindings(text: string, actions: Finding[]): Findings {
  const client = useClient()
  const [found, setFound] = useState<{ text: string; findings: Finding[] }>({ text: '', findings: [] })
  const asked = text.trim()
  useEffect(() => {
    if (asked.length < 2) return
    let isCurrent = true
    const timer = setTimeout(async () => {
      const named = await findByName(client, asked)
      if (isCurrent) setFound({ text: asked, findings: named.flatMap((one) => pageOf(one)) })
    }, patienceMs)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [client, asked])
  const fixed = [...findable, ...actions]
    .filter((one) => isMeant(one, text))
    .toSorted((one, other) => rank(one, asked) - rank(other, asked))
  const isFound = found.text === asked
  return { findings: [...fixed, ...(isFound ? found.findings : [])], isLooking: asked.length >= 2 && !isFound }
}

const icons: Record<NamedKind, IconName> = { Contact: 'user', Campaign: 'send', Template: 'file', Segment: 'list', Workflow: 'workflow' }

// The page of one of its kind, such as `/$project/campaigns/$campaign`.
function pageOf({ kind, id, name }: Named & { kind: NamedKind }): Finding[] {
  const param = kind.toLowerCase()
  const page = allPages.find(({ path }) => path === `/$project/${param}s/$${param}`)
  return page ? [{ id, kind, title: name, icon: icons[kind], to: page.path, params: { [param]: id } }] : []
}
