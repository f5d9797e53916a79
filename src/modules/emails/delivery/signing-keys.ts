import { createPrivateKey } from 'node:crypto'
import { perWorld, type World } from '../../../kit/world.ts'
import type { SigningKey } from '../message/sign.ts'
import type { ClaimedEmail } from './claim.ts'
import { readSigningKey } from './sql.ts'

/** The key of the domain a mail is sent from, kept once read; null when the domain is gone. */
export async function signingKeyOf(
  world: World,
  { projectId, domainId }: Pick<ClaimedEmail, 'projectId' | 'domainId'>,
): Promise<SigningKey | null> {
  if (!domainId) return null
  const keys = keysOf(world)
  const there = keys.get(domainId)
  if (there) return there
  const [row] = await world.db.run(readSigningKey, [projectId, domainId])
  if (!row) return null
  const key = { domain: row.domain, selector: row.selector, key: createPrivateKey(world.vault.open('dkim', row.sealed)) }
  if (keys.size >= mostKeys) keys.clear()
  keys.set(domainId, key)
  return key
}

const mostKeys = 1_000
const keysOf = perWorld(() => new Map<string, SigningKey>())
