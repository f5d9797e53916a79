import { useNavigate } from '@tanstack/react-router'
import { useClient } from 'urql'
import { useViewer } from '../data/session.tsx'
import { applyTheme } from '../data/theme.ts'
import { LogOutDocument } from '../graphql/graphql.ts'
import { mayLeaveAll } from '../parts/unsaved/unsaved.ts'
import type { Finding } from './findings.ts'

/** Ends the session, and goes to where people sign in; asks first where something is not saved. */
export function useSignOut(): () => Promise<void> {
  const client = useClient()
  return async () => {
    if (!(await mayLeaveAll())) return
    await client.mutation(LogOutDocument, {})
    // A new page, so that nothing of this person stays in memory.
    location.assign('/app/sign-in')
  }
}

/** What the command palette can do, besides leading to pages; `onKeys` shows the keys. */
export function useActions(projectId: string, onKeys: () => void): Finding[] {
  const { projects } = useViewer()
  const navigate = useNavigate()
  const signOut = useSignOut()
  const action = (title: string, rest: Pick<Finding, 'icon'> & Partial<Finding>): Finding => ({ id: title, kind: 'Action', title, ...rest })
  const elsewhere = (address: string) => () => void window.open(address, '_blank', 'noreferrer')
  return [
    action('New campaign', { icon: 'plus', to: '/$project/campaigns', search: { create: true }, words: 'create write newsletter' }),
    action('New template', { icon: 'plus', to: '/$project/templates', search: { create: true }, words: 'create write email' }),
    action('New workflow', { icon: 'plus', to: '/$project/workflows', search: { create: true }, words: 'create automation' }),
    action('Add a contact', { icon: 'plus', to: '/$project/contacts', search: { open: 'add' }, words: 'new create person' }),
    action('Add a domain', { icon: 'plus', to: '/$project/domains', search: { open: 'add' }, words: 'new create sender dns' }),
    ...projects.nodes
      .filter(({ id }) => id !== projectId)
      .map(({ id, name }) =>
        action(`Switch to ${name}`, {
          id,
          icon: 'inbox',
          words: 'project',
          run: () => void navigate({ to: '/$project', params: { project: id } }),
        }),
      ),
    action('GraphiQL', { icon: 'code', words: 'api query developer', run: elsewhere('/graphql') }),
    action('API reference', { icon: 'external', words: 'docs rest developer', run: elsewhere('/docs') }),
    action('Keyboard shortcuts', { icon: 'key', words: 'help', run: onKeys }),
    action('Light colours', { icon: 'sun', words: 'theme', run: () => applyTheme('light') }),
    action('Dark colours', { icon: 'moon', words: 'theme', run: () => applyTheme('dark') }),
    action('Colours as the system', { icon: 'sun', words: 'theme', run: () => applyTheme('system') }),
    action('Sign out', { icon: 'log-out', words: 'log out leave', run: () => void signOut() }),
  ]
}
