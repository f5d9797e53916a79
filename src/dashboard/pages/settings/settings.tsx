import { useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useIsAdmin } from '../../data/project.tsx'
import { Page } from '../../parts/page.tsx'
import { Note } from '../../parts/state.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { Billing } from './billing.tsx'
import { Danger } from './danger.tsx'
import { Keys } from './keys.tsx'
import { Members } from './members.tsx'
import { ProjectForm } from './project-form.tsx'
import { Security } from './security.tsx'
import { type SettingsTab, tabs } from './tabs.ts'

const parts: Record<SettingsTab, () => ReactNode> = {
  project: ProjectForm,
  keys: Keys,
  members: Members,
  billing: Billing,
  security: Security,
  danger: Danger,
}

/** The settings of a project. Members see them; admins and owners change them. */
export function Settings() {
  const { tab = 'project' } = useSearch({ from: '/signed-in/$project/settings' })
  const isAdmin = useIsAdmin()
  const Part = parts[tab]
  return (
    <Page title="Settings">
      <Tabs label="Parts of the settings" tabs={tabs} shown={tab} />
      {!isAdmin && <Note>You are a member of this project: only admins and owners can change its settings.</Note>}
      <Part />
    </Page>
  )
}
