import { createHash } from 'node:crypto'
import { batch, readsBeside } from '../../kit/batch.ts'
import type { Ctx } from '../../kit/context.ts'
import { Failure, invalid } from '../../kit/errors.ts'
import { isDuplicate, isPostgresError } from '../../kit/postgres/db.ts'
import { perWorld } from '../../kit/world.ts'
import { dropAnswer, dropAnswers, type FoundAnswer, findAnswers } from './sql.ts'

const retentionMs = 24 * 3_600_000
const maxLookups = 250

/** The key of a call whose answer has to be stored by the statement that does its work (`storedAnswers`). */
export interface AnswerKey {
  projectId: string
  /** The key as it is stored. */
  key: string
  fingerprint: string
  at: Date
}

/**
 * Does work once per Idempotency-Key and replays its first answer for 24 hours, before anything else of the call is looked
 * at. Fails with IDEMPOTENCY_KEY_IN_PROGRESS while the first call is running, and with IDEMPOTENCY_KEY_MISMATCH when the key
 * was used for another call. Work that fails frees the key. Without a key the work runs every time. The keys of calls with
 * the public key are other ones than those of all other calls.
 *
 * @param work   does the work, and stores what is needed for its answer in the same statement when it is given a key
 * @param revive makes the answer of what was stored
 */
export async function once<Answer extends object, Stored = Answer>(
  ctx: Ctx,
  work: (key: AnswerKey | undefined) => Promise<Answer>,
  revive: (stored: Stored) => Answer,
): Promise<Answer> {
  if (!ctx.idempotency) return work(undefined)
  const key = keyOf(ctx, ctx.idempotency)
  const running = runningIn(ctx.world)
  const name = nameOf(key)
  if (running.has(name)) throw new Failure('IDEMPOTENCY_KEY_IN_PROGRESS')
  running.add(name)
  try {
    const replay = await findReplay<Stored>(ctx, key)
    return replay ? revive(replay.stored) : await work(key)
  } catch (error) {
    if (!isAnswered(error)) throw error
    // Another process has answered the same call since the lookup.
    const replay = await findReplay<Stored>(ctx, key)
    if (!replay) throw new Failure('IDEMPOTENCY_KEY_IN_PROGRESS')
    return revive(replay.stored)
  } finally {
    running.delete(name)
  }
}

/** What identifies a call: the operation with its place, and the input. The same key with another fingerprint is a mistake. */
export function fingerprintOf(operation: string, input: string | Buffer): string {
  return createHash('sha256').update(`${operation}\n`).update(input).digest('hex')
}

/** The parameter of `storedAnswers` in sql.ts; `ref` names the call in the statement. */
export function answersParameter(calls: { key: AnswerKey; ref: string }[]): string {
  return JSON.stringify(
    calls.map(({ key: { projectId, key, fingerprint, at }, ref }) => ({ project_id: projectId, key, fingerprint, ref, at })),
  )
}

/** Deletes answers older than 24 hours. */
export async function forgetAnswers({ db, clock }: Pick<Ctx, 'db' | 'clock'>): Promise<void> {
  await db.run(dropAnswers, [new Date(clock.now().getTime() - retentionMs)])
}

function keyOf({ projectId, actor, clock }: Ctx, { key, fingerprint }: { key: string; fingerprint: string }): AnswerKey {
  if (!/^[\x20-\x7e]{1,255}$/.test(key)) throw invalid('Idempotency-Key', 'must be 1 to 255 printable ASCII characters')
  const isPublic = actor.kind === 'key' && actor.key === 'PUBLIC'
  // No key contains a line break, so that this is no key of another caller.
  return { projectId, key: isPublic ? `public\n${key}` : key, fingerprint, at: clock.now() }
}

// The keys of this process whose work is under way. Between processes the primary key decides who is first.
const runningIn = perWorld(() => new Set<string>())

function nameOf({ projectId, key }: AnswerKey): string {
  return `${projectId} ${key}`
}

const lookUp = perWorld(({ db }) =>
  batch(
    async (keys: AnswerKey[]) => {
      const rows = await db.run(findAnswers, [keys.map(({ projectId }) => projectId), keys.map(({ key }) => key)])
      const found = new Map(rows.map((row) => [row.ord, row]))
      return keys.map((_, at): FoundAnswer | undefined => found.get(at + 1))
    },
    maxLookups,
    readsBeside,
  ),
)

// The first answer for the key, if there is one that is still replayed; an older one is removed to free the key.
async function findReplay<Stored>({ world, db, answer }: Ctx, key: AnswerKey): Promise<{ stored: Stored } | undefined> {
  const first = await lookUp(world)(key)
  if (!first) return undefined
  const expired = new Date(key.at.getTime() - retentionMs)
  if (first.at <= expired) {
    await db.run(dropAnswer, [key.projectId, key.key, expired])
    return undefined
  }
  if (first.fingerprint !== key.fingerprint) throw new Failure('IDEMPOTENCY_KEY_MISMATCH')
  answer.replayed = true
  return { stored: first.answer as Stored }
}

function isAnswered(error: unknown): boolean {
  return isDuplicate(error) && isPostgresError(error) && error.constraint === 'idempotency_keys_pkey'
}
