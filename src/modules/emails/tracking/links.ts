import { type Recent, recent } from '../../../kit/recent.ts'
import type { Vault } from '../../../kit/vault.ts'
import type { World } from '../../../kit/world.ts'

/** The addresses that record opens and clicks of one email. */
export interface TrackingLinks {
  /** The open pixel. */
  pixelUrl: string
  /** Records a click, then leads to the target. */
  clickUrl(target: string): string
}

/** Signed tracking links of an email: nobody else can make one, so that they lead only to targets of its body. */
export function trackingLinks(
  world: Pick<World, 'vault' | 'publicUrl'>,
  { projectId, id }: { projectId: string; id: string },
): TrackingLinks {
  const { vault, publicUrl } = world
  const token = vault.sign(emailPurpose, [projectId, id])
  return {
    pixelUrl: `${publicUrl}/t/o/${token}`,
    clickUrl: (target) => `${publicUrl}/t/c/${token}~${targetToken(world, projectId, target)}`,
  }
}

/** The email an open pixel belongs to, or null when the token is forged. */
export function readOpenToken({ vault }: Pick<World, 'vault'>, token: string): { projectId: string; id: string } | null {
  const [projectId, id] = vault.verify(emailPurpose, token) ?? []
  return projectId && id ? { projectId, id } : null
}

/**
 * The email and the target of a tracked link, or null when either part is forged or they belong to different projects:
 * without this check anyone could use the installation as an open redirect.
 */
export function readClickToken({ vault }: Pick<World, 'vault'>, token: string): { projectId: string; id: string; url: string } | null {
  const [emailToken = '', target = ''] = token.split('~', 2)
  const email = readOpenToken({ vault }, emailToken)
  const [projectId, url] = vault.verify(targetPurpose, target) ?? []
  return email && url && projectId === email.projectId ? { ...email, url } : null
}

const emailPurpose = 'tracked mail'
const targetPurpose = 'tracked link'
const targetTokens = new WeakMap<Vault, Recent<string, string>>()

// Apart from the email, because most targets are the same in every email of a call: they are signed once.
function targetToken({ vault }: Pick<World, 'vault'>, projectId: string, url: string): string {
  let tokens = targetTokens.get(vault)
  if (!tokens) {
    tokens = recent({ max: 5_000, weight: { max: 8_000_000, weigh: (token, target) => 2 * (token.length + target.length) } })
    targetTokens.set(vault, tokens)
  }
  return tokens.getOrMake(projectId + url, () => vault.sign(targetPurpose, [projectId, url]))
}
