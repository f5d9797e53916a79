import type { Executor } from '../../../kit/postgres/db.ts'
import { findSuppressed } from '../../suppressions/suppressions.ts'
import { haveUnsubscribed, lockContacts, selectUnsubscribed } from './sql.ts'

/**
 * Those of the addresses that an import may not subscribe, whatever the file says and whether their contact is new or not: they
 * are on the suppression list, where addresses stay when their contact is deleted.
 */
export async function findUnwilling(tx: Executor, projectId: string, emails: string[]): Promise<Set<string>> {
  return new Set((await findSuppressed({ db: tx, projectId }, emails)).keys())
}

/**
 * Those of the existing contacts that a chunk of an import may subscribe again: who never opted out. It locks the contacts of
 * the chunk (`all`), if there is somebody to find, so that nobody can opt out between this look and the write.
 */
export async function findResubscribable(
  tx: Executor,
  projectId: string,
  { all, wanted }: { all: string[]; wanted: string[] },
): Promise<Set<string>> {
  const [some] = wanted.length > 0 ? await tx.run(haveUnsubscribed, [projectId, wanted]) : []
  if (!some?.found) return new Set()
  await tx.run(lockContacts, [projectId, all])
  const unsubscribed = await tx.run(selectUnsubscribed, [projectId, wanted])
  return new Set(unsubscribed.flatMap(({ email, optedOut }) => (optedOut ? [] : [email])))
}
