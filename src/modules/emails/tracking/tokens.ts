import { perWorld, type World } from '../../../kit/world.ts'

/** The token of the open pixel of an email; a tracked link carries it before the token of its target. */
export function emailToken({ vault }: Pick<World, 'vault'>, { projectId, id }: { projectId: string; id: string }): string {
  return vault.sign(mailPurpose, [projectId, id])
}

const mailPurpose = 'tracked mail'
const linkPurpose = 'tracked link'
const mostTokens = 5_000
const tokensOf = perWorld(() => new Map<string, string>())

/** The token of the target of a tracked link. Most links are the same in every email of a call: signed once, apart from the email. */
export function linkToken(world: World, projectId: string, url: string): string {
  const tokens = tokensOf(world)
  const there = tokens.get(projectId + url)
  if (there) return there
  const token = world.vault.sign(linkPurpose, [projectId, url])
  if (tokens.size >= mostTokens) tokens.clear()
  tokens.set(projectId + url, token)
  return token
}

/** The mail a pixel belongs to, or null when the token is forged. */
export function readOpenToken({ vault }: Pick<World, 'vault'>, token: string): { projectId: string; id: string } | null {
  const [projectId, id] = vault.verify(mailPurpose, token) ?? []
  return projectId && id ? { projectId, id } : null
}

/** The mail and target of a tracked link, or null when a part is forged or of another project: there is no open redirect. */
export function readClickToken({ vault }: Pick<World, 'vault'>, token: string): { projectId: string; id: string; url: string } | null {
  const [mailToken = '', link = ''] = token.split('~', 2)
  const mail = readOpenToken({ vault }, mailToken)
  const [projectId, url] = vault.verify(linkPurpose, link) ?? []
  return mail && url && projectId === mail.projectId ? { ...mail, url } : null
}
