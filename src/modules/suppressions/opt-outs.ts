import { hash } from 'node:crypto'
import type { Ctx } from '../../kit/context.ts'
import type { Executor } from '../../kit/postgres/db.ts'
import type { World } from '../../kit/world.ts'
import { insertOptOut, removeOptOut, selectOptOuts } from './sql.ts'

/**
 * What is remembered of an address that opted out once its contact is deleted: a keyed hash, from which nobody without the secret
 * of the installation can find the address.
 */
export function optOutHash({ vault }: Pick<World, 'vault'>, { projectId, email }: { projectId: string; email: string }): string {
  // In one call: an HMAC takes several times as long, and it is made for every write of a contact. The key has a fixed length.
  return hash('sha256', Buffer.concat([vault.key('opt-outs'), Buffer.from(`${projectId} ${email}`)]), 'base64url')
}

/** Remembers whether the address of a contact that is deleted has opted out; one that was subscribed again has not. */
export async function keepOptOut(
  tx: Executor,
  { world, clock, projectId }: Pick<Ctx, 'world' | 'clock' | 'projectId'>,
  { email, subscribed, optedOut }: { email: string; subscribed: boolean; optedOut: boolean },
): Promise<void> {
  const key = optOutHash(world, { projectId, email })
  if (optedOut) await tx.run(insertOptOut, [projectId, key, clock.now()])
  else if (subscribed) await tx.run(removeOptOut, [projectId, key])
}

/** Those of the addresses that opted out and whose contact was deleted. */
export async function findOptedOut(world: Pick<World, 'vault' | 'db'>, projectId: string, emails: string[]): Promise<Set<string>> {
  const hashes = new Map(emails.map((email) => [optOutHash(world, { projectId, email }), email]))
  const rows = await world.db.run(selectOptOuts, [projectId, [...hashes.keys()]])
  return new Set(rows.flatMap(({ hash: found }) => hashes.get(found) ?? []))
}
