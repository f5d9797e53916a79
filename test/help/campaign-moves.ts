import fc from 'fast-check'
import { type Ctx, callIn } from '../../src/kit/context.ts'
import { Failure } from '../../src/kit/errors.ts'
import type { Handover } from '../../src/kit/mailer.ts'
import type { SmtpMessage } from '../../src/kit/smtp/message.ts'
import { getCampaign } from '../../src/modules/campaigns/campaigns.ts'
import { updateCampaign } from '../../src/modules/campaigns/changes.ts'
import { sendCampaign } from '../../src/modules/campaigns/sending/send.ts'
import { cancelCampaign, pauseCampaign, resumeCampaign } from '../../src/modules/campaigns/sending/stop.ts'
import type { Campaign } from '../../src/modules/campaigns/shapes.ts'
import { changeSubscription } from '../../src/modules/contacts/contacts.ts'
import { deliver, step } from './campaigns.ts'
import type { TestWorld } from './world.ts'

/** What a mail server does with the messages it is handed. */
export type Mood = 'accepts' | 'defers' | 'refuses' | 'bounces' | 'loses'

/** A message that the mail server has taken; `lost`: the worker was not told so. */
export interface Taken {
  to: string
  messageId: string
  lost: boolean
}

/** A mail server for one run of a test after the other. */
export interface MoodyServer {
  mood: Mood
  taken: Taken[]
  bounces: number
  send(message: SmtpMessage): Promise<Handover>
  check(): Promise<null>
  close(): Promise<void>
}

/** A mail server that a test can put into a mood. */
export function moodyServer(): MoodyServer {
  const server: MoodyServer = {
    mood: 'accepts',
    taken: [],
    bounces: 0,
    async send({ to: [to = ''], pieces }) {
      const messageId = /^Message-ID: (.+?)\r$/im.exec(Buffer.concat(pieces).toString('latin1'))?.[1] ?? ''
      const { mood } = server
      if (mood === 'defers') return { kind: 'deferred', response: '451 4.3.0 later' }
      if (mood === 'refuses') return { kind: 'refused', response: '554 5.6.0 no', recipient: false }
      if (mood === 'bounces') {
        server.bounces++
        return { kind: 'refused', response: '550 5.1.1 no such user', recipient: true }
      }
      server.taken.push({ to, messageId, lost: mood === 'loses' })
      if (mood === 'loses') return { kind: 'deferred', response: 'The connection was lost.', uncertain: true }
      return { kind: 'accepted', response: '250 ok' }
    },
    check: async () => null,
    close: async () => undefined,
  }
  return server
}

const at = fc.nat({ max: 1 })
const call = (kind: 'send' | 'cancel' | 'pause' | 'resume') => fc.record({ kind: fc.constant(kind), at })
const schedule = fc.record({ kind: fc.constant('schedule' as const), at, seconds: fc.constantFrom(5, 600, 7_200) })
const rate = fc.record({ kind: fc.constant('rate' as const), at, perHour: fc.constantFrom(null, 3_600, 7_200) })
const stepping = fc.record({ kind: fc.constant('step' as const), at, times: fc.constantFrom(1, 2, 6) })
const delivering = fc.record({ kind: fc.constant('deliver' as const), at })
const moods = fc.constantFrom<Mood>('accepts', 'defers', 'refuses', 'bounces', 'loses')

/** Something that happens to a campaign; `at` is the process it happens in. */
const move = fc.oneof(
  { weight: 3, arbitrary: call('send') },
  { weight: 3, arbitrary: call('cancel') },
  { weight: 2, arbitrary: call('pause') },
  { weight: 3, arbitrary: call('resume') },
  { weight: 2, arbitrary: schedule },
  { weight: 1, arbitrary: rate },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('audience' as const), at, pro: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('suspend' as const), disabled: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('unsubscribe' as const), contact: fc.nat({ max: 5 }) }) },
  { weight: 5, arbitrary: stepping },
  { weight: 4, arbitrary: delivering },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('turn' as const), seconds: fc.constantFrom(1, 31, 3_600, -3_600) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('server' as const), mood: moods }) },
)

// What people do in quick succession, which moves by chance seldom are.
const phrase = fc.oneof(
  fc.tuple(call('send'), stepping),
  fc.tuple(call('send'), fc.record({ kind: fc.constant('step' as const), at, times: fc.constant(6) }), delivering),
  fc.tuple(call('cancel'), call('send'), delivering),
  fc.tuple(call('cancel'), schedule, stepping),
  fc.tuple(schedule, call('cancel'), schedule),
  fc.tuple(call('pause'), call('resume'), delivering),
  fc.tuple(rate, call('cancel')),
)

/** Groups of moves: those of a group happen at the same time. */
export const groups = fc
  .array(
    fc.oneof(
      { weight: 5, arbitrary: fc.tuple(fc.tuple(move)) },
      { weight: 2, arbitrary: fc.tuple(fc.tuple(move, move)) },
      { weight: 4, arbitrary: phrase.map((moves): Move[][] => moves.map((one) => [one])) },
    ),
    { minLength: 3, maxLength: 9 },
  )
  .map((parts) => parts.flat())

/** Something that happens to a campaign. */
export type Move = typeof move extends fc.Arbitrary<infer Made> ? Made : never

/** A campaign with its contacts, and the processes that work on it. */
export interface Scene {
  worlds: readonly [TestWorld, TestWorld]
  ctx: Ctx
  id: string
  contacts: string[]
  server: MoodyServer
}

const pro = { field: 'data.plan', operator: 'equals', value: 'pro' } as const

/** Does a move; returns the code of the refusal, or `ok`. */
export async function make(scene: Scene, move: Move): Promise<string> {
  try {
    await makeMove(scene, move)
    return 'ok'
  } catch (error) {
    if (error instanceof Failure) return error.code
    throw error
  }
}

async function makeMove({ worlds, ctx, id, contacts, server }: Scene, move: Move): Promise<unknown> {
  const world = worlds['at' in move ? move.at : 0] ?? worlds[0]
  const there = callIn(world, { projectId: ctx.projectId, actor: ctx.actor })
  const { kind } = move
  if (kind === 'send') return sendCampaign(there, { id })
  if (kind === 'schedule') return sendCampaign(there, { id, scheduledFor: new Date(world.clock.now().getTime() + move.seconds * 1_000) })
  if (kind === 'cancel') return cancelCampaign(there, { id })
  if (kind === 'pause') return pauseCampaign(there, { id })
  if (kind === 'resume') return resumeCampaign(there, { id })
  if (kind === 'audience')
    return updateCampaign(there, move.pro ? { id, audienceType: 'FILTERED', audienceFilter: pro } : { id, audienceType: 'ALL' })
  if (kind === 'rate') return updateCampaign(there, { id, maxPerHour: move.perHour })
  if (kind === 'suspend') return world.db.prisma.project.update({ where: { id: ctx.projectId }, data: { disabled: move.disabled } })
  if (kind === 'unsubscribe') return changeSubscription(there, { id: contacts[move.contact] ?? '', subscribed: false, source: 'api' })
  if (kind === 'deliver') return deliver(world)
  if (kind === 'turn') {
    for (const { clock } of worlds) clock.turn(move.seconds * 1_000)
    return
  }
  if (kind === 'server') {
    server.mood = move.mood
    return
  }
  if (kind === 'step') await step(world, move.times)
}

/** What a move is answered, and the state of the campaign afterwards where that is fixed, by the state it was in before. */
export function expected(
  { status, paused }: Pick<Campaign, 'status' | 'paused'>,
  { kind }: Move,
  hasLeft: boolean,
): { answer: string; after?: Campaign['status'] } {
  const isUnsent = status === 'DRAFT' || status === 'SCHEDULED'
  const only = (isAllowed: boolean, after = status) => (isAllowed ? { answer: 'ok', after } : { answer: 'CONFLICT', after: status })
  if (kind === 'send') return only(isUnsent, 'SENDING')
  if (kind === 'schedule') return only(isUnsent, 'SCHEDULED')
  if (kind === 'cancel')
    return only(status === 'SCHEDULED' || status === 'SENDING', status === 'SENDING' && hasLeft ? 'CANCELLED' : 'DRAFT')
  if (kind === 'pause') return only(status === 'SENDING')
  if (kind === 'resume') return only(status === 'SENDING' && paused)
  if (kind === 'audience') return only(isUnsent)
  if (kind === 'rate') return only(isUnsent || status === 'SENDING')
  return { answer: 'ok' }
}

/** The campaign of a scene as it is now. */
export function campaignOf({ ctx, id }: Scene): Promise<Campaign> {
  return getCampaign(ctx, { id })
}
