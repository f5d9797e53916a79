import { emailAddress } from '../../../kit/address.ts'
import type { Ctx } from '../../../kit/context.ts'
import { Failure, notFound } from '../../../kit/errors.ts'
import type { Transaction } from '../../../kit/postgres/db.ts'
import { sortData } from '../../contacts/data.ts'
import { findContactsByEmail } from '../../contacts/lookup.ts'
import { writeContact } from '../../contacts/write.ts'
import { afterReaders } from '../../events/reader/keep-up.ts'
import { kinds } from '../kinds.ts'
import { getSegment } from '../segments.ts'
import type { MembersAdded, MembersDraft, MembersRemoval, MembersRemoved } from '../shapes.ts'
import { logMoves, type Named } from './log.ts'
import { addToCount, deleteMembers, insertMembers, lockSegment } from './sql.ts'

/**
 * Adds contacts to a static segment by their addresses; with `createMissing` it creates those that do not exist. Only who was not
 * a member before is logged and counted, however many calls run in parallel: a contact that this call created, but another one added
 * meanwhile, is a member already and is not counted as created. Fails with RESOURCE_NOT_FOUND, with CONFLICT for a dynamic segment, and
 * with more than 100 addresses as `afterReaders` does.
 */
export async function addSegmentMembers(ctx: Ctx, draft: MembersDraft): Promise<MembersAdded> {
  return afterReaders(ctx, draft.emails.length, () => addMembers(ctx, draft))
}

async function addMembers(ctx: Ctx, draft: MembersDraft): Promise<MembersAdded> {
  await requireStatic(ctx, draft)
  const { found, notFound } = await findContactsByEmail(ctx, { emails: oncePerAddress(draft.emails) })
  const made = draft.createMissing ? await createContacts(ctx, notFound, draft.subscribed ?? true) : []
  const contactIds = [...found.map(({ contactId }) => contactId), ...made.map(({ id }) => id)]
  // Contacts that were made become members, whether the caller waits for it or not.
  const entered = await changeMembers({ ...ctx, db: ctx.db.lasting() }, draft.id, async (tx, segment) => {
    const ids = (await tx.run(insertMembers, [ctx.projectId, draft.id, contactIds, ctx.clock.now()])).map(({ contactId }) => contactId)
    await logMoves(ctx, tx, { projectId: ctx.projectId, segment, kind: 'entry', contactIds: ids })
    return { result: new Set(ids), by: ids.length }
  })
  return {
    added: entered.size,
    created: made.filter(({ id, isNew }) => isNew && entered.has(id)).length,
    alreadyMembers: contactIds.length - entered.size,
    notFound: draft.createMissing ? [] : notFound,
  }
}

/**
 * Removes contacts from a static segment by their addresses; who was a member is logged and counted. Fails as addSegmentMembers
 * does.
 */
export async function removeSegmentMembers(ctx: Ctx, { id, emails }: MembersRemoval): Promise<MembersRemoved> {
  return afterReaders(ctx, emails.length, () => removeMembers(ctx, { id, emails }))
}

async function removeMembers(ctx: Ctx, { id, emails }: MembersRemoval): Promise<MembersRemoved> {
  await requireStatic(ctx, { id })
  const { found } = await findContactsByEmail(ctx, { emails: oncePerAddress(emails) })
  const contactIds = found.map(({ contactId }) => contactId)
  const removed = await changeMembers(ctx, id, async (tx, segment) => {
    const left = await tx.run(deleteMembers, [ctx.projectId, id, contactIds])
    const existing = left.flatMap(({ contactId, exists }) => (exists ? contactId : []))
    await logMoves(ctx, tx, { projectId: ctx.projectId, segment, kind: 'exit', contactIds: existing })
    return { result: left.length, by: -left.length }
  })
  return { removed }
}

async function requireStatic(ctx: Pick<Ctx, 'db' | 'projectId'>, { id }: { id: string }): Promise<void> {
  const { type } = await getSegment(ctx, { id })
  if (kinds[type].takesMembers) return
  throw new Failure('CONFLICT', 'The members of a dynamic segment are those that match its condition.', {
    suggestion: 'Change the condition, or create a segment of type STATIC.',
  })
}

// Each address once, as the caller spelled it first.
function oncePerAddress(emails: string[]): string[] {
  const spelled = new Map<string, string>()
  for (const spelling of emails) {
    const email = emailAddress(spelling)
    if (email !== null && !spelled.has(email)) spelled.set(email, spelling)
  }
  return [...spelled.values()]
}

async function createContacts(
  { world, clock, projectId }: Ctx,
  spellings: string[],
  subscribed: boolean,
): Promise<{ id: string; isNew: boolean }[]> {
  const plain = {
    projectId,
    patch: sortData(undefined),
    subscribed: null,
    subscribedIfNew: subscribed,
    source: 'api',
    keyKind: 'SECRET',
  } as const
  const emails = spellings.flatMap((spelling) => emailAddress(spelling) ?? [])
  return Promise.all(emails.map((email) => writeContact(world, { ...plain, email, at: clock.now() })))
}

// Changes members under the lock of their segment; `change` returns its result, and by how many the count changes.
async function changeMembers<Result>(
  { db, projectId }: Pick<Ctx, 'db' | 'projectId'>,
  id: string,
  change: (tx: Transaction, segment: Named) => Promise<{ result: Result; by: number }>,
): Promise<Result> {
  return db.transaction(async (tx) => {
    const [segment] = await tx.run(lockSegment, [projectId, id])
    if (!segment) throw notFound()
    const { result, by } = await change(tx, { id, ...segment })
    await tx.run(addToCount, [projectId, id, by])
    return result
  })
}
