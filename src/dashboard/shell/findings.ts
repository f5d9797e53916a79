import { useEffect, useState } from 'react'
import { useClient } from 'urql'
import { findCampaigns, findContacts } from '../data/find.ts'
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
  params?: Record<string, string>
}

const findable = allPages.filter(({ path, open }) => !path.slice(2).includes('$') && (!open || path === '/parts'))

// The pages that a text leads to: all of its words are in their title or words.
function pagesOf(text: string): Finding[] {
  const asked = text.toLowerCase().split(/\s+/).filter(Boolean)
  return findable
    .filter(({ title, words = '' }) => asked.every((word) => `${title} ${words}`.toLowerCase().includes(word)))
    .map(({ path, title, icon }) => ({ id: path, kind: 'Page', title, icon: icon ?? 'chevron-right', to: path }))
}

const patienceMs = 200

/** The pages that a text leads to, and the contacts and campaigns that it finds, as soon as they are found. */
export function useFindings(text: string): Finding[] {
  const client = useClient()
  const [found, setFound] = useState<{ text: string; findings: Finding[] }>({ text: '', findings: [] })
  const asked = text.trim()
  useEffect(() => {
    if (asked.length < 2) return
    let isCurrent = true
    const timer = setTimeout(async () => {
      const [contacts, campaigns] = await Promise.all([findContacts(client, asked), findCampaigns(client, asked)])
      if (!isCurrent) return
      const findings = [
        ...contacts.map(({ id, name }) => finding('Contact', 'user', id, name)),
        ...campaigns.map(({ id, name }) => finding('Campaign', 'send', id, name)),
      ]
      setFound({ text: asked, findings })
    }, patienceMs)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [client, asked])
  return [...pagesOf(text), ...(found.text === asked ? found.findings : [])]
}

// Contacts have pages; of a campaign, what happened to it.
function finding(kind: 'Contact' | 'Campaign', icon: IconName, id: string, title: string): Finding {
  if (kind === 'Contact') return { id, kind, title, icon, to: '/$project/contacts/$contact', params: { contact: id } }
  return { id, kind, title, icon, to: '/$project/activity', search: { campaign: id } }
}
