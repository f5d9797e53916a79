import { recent } from '../../../kit/cache.ts'
import { perWorld, type World } from '../../../kit/world.ts'

/** The token of the open pixel of an email; a tracked link carries it before the token of its target. */
export function emailToken({ vault }: Pick<World, 'vault'>, { projectId, id }: { projectId: string; id: string }): string {
  return vault.sign(mailPurpose, [projectId, id])
}

const mailPurpose = 'tracked mail'
const linkPurpose = 'tracked link'
const linkTokens = perWorld(() =>
  recent<string, string>({ max: 5_000, weight: { max: 8_000_000, weigh: (token, link) => 2 * (token.length + link.length) } }),
)

/** The token of the target of a tracked link. Most links are the same in every email of a call: signed once, apart from the email. */
export function linkToken(world: World, projectId: string, url: string): string {
  return linkTokens(world).getOrMake(projectId + url, () => world.vault.sign(linkPurpose, [projectId, url]))
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
