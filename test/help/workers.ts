import type { Handover } from '../../src/kit/mailer.ts'
import { type ClaimedEmail, claimEmails, renewClaims } from '../../src/modules/emails/queue/claim.ts'
import type { Lane } from '../../src/modules/emails/shapes.ts'
import { type TestWorld, testWorld } from './world.ts'

/** Two processes on one database that deliver over one mail server, and what a test does with them. */
export interface TwoWorkers {
  world: TestWorld
  other: TestWorld
  /** The ids of the emails that were handed over, in order. */
  sent: string[]
  /** What the mail server does with the next emails; it accepts them by default. */
  server: { answer: () => Promise<Handover> }
  /** Turns the clocks of both. */
  turn(ms: number): void
  /** Turns the clocks by the length of a lease, while both stay alive: then both may take over emails of others. */
  pass(): Promise<void>
  /** Turns the clocks until the lease of `world` has ended, while `other` stays alive. */
  stop(): Promise<void>
}

/** The answer of a mail server that accepts an email. */
export const accepts = async (): Promise<Handover> => ({ kind: 'accepted', response: '250 ok' })

/**
 * Opens two processes that have been running for some time: a new one gives the others time to renew their leases. With settings
 * of their own they use the mail server of EMAIL_TRANSPORT.
 */
export async function twoWorkers(env?: Record<string, string>): Promise<TwoWorkers> {
  const sent: string[] = []
  const server = { answer: accepts }
  const mailServer = {
    async send({ pieces }: { pieces: readonly Uint8Array[] }) {
      sent.push(/Message-ID: <(.*?)@/.exec(Buffer.concat(pieces).toString('latin1'))?.[1] ?? '')
      return server.answer()
    },
    check: async () => null,
    async close() {},
  }
  const plan = env ? { env } : { mailServer }
  const world = await testWorld(plan)
  const other = await testWorld({ ...plan, databaseUrl: world.databaseUrl })
  const workers = [world, other]
  const turn = (ms: number): void => {
    for (const at of workers) at.clock.turn(ms)
  }
  const lengthMs = world.config.CLAIM_SECONDS * 1_000
  const passes = async (alive: TestWorld[]): Promise<void> => {
    for (const part of [0.6, 0.5]) {
      for (const at of alive) await renewClaims(at)
      turn(lengthMs * part)
    }
  }
  const pass = async (): Promise<void> => {
    await passes(workers)
    for (const at of workers) await renewClaims(at)
  }
  await pass()
  return { world, other, sent, server, turn, pass, stop: () => passes([other]) }
}

/** Claims the emails of a project for a process, ten at most. */
export async function claim(at: TestWorld, projectId: string, lane: Lane = 'transactional'): Promise<ClaimedEmail[]> {
  const [claimed] = await claimEmails(at, lane, [{ projectId, after: '', want: 10 }])
  return claimed?.emails ?? []
}

/** Claims the oldest email of a project for a process. */
export async function claimed(at: TestWorld, projectId: string): Promise<ClaimedEmail> {
  const [email] = await claim(at, projectId)
  if (!email) throw new Error('not claimed')
  return email
}
