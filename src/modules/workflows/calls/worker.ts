import { loop } from '../../../kit/loop.ts'
import { createSignal } from '../../../kit/signal.ts'
import { perWorld, type World } from '../../../kit/world.ts'
import { newClaim } from '../run/advance.ts'
import { dueCallsTopic } from '../wake.ts'
import { makeCall } from './call.ts'
import { createPlaces, type Place, quickMs } from './places.ts'
import { type CallTurn, type ClaimedCall, findCallTurns, takeCalls } from './sql.ts'

const turnsPerBatch = 100
const everyMs = 1_000

const callingOf = perWorld((world) => ({
  places: createPlaces(world),
  running: 0,
  /** Notified when there is room again, or may be. */
  room: createSignal(world.closing),
  /** Notified when this process calls no webhook. */
  idle: createSignal(),
  /** The project whose turn was last. */
  after: '',
}))

/** Calls the webhooks that are due, as notices say that there are some, and at least once a second. */
export function startCaller(world: World): void {
  const { room } = callingOf(world)
  const calling = loop(world, { name: 'webhooks', everyMs, topic: dueCallsTopic, signal: room, work: () => callDue(world) })
  world.atClose(async () => {
    await calling
    await callsIdle(world)
  })
}

/**
 * Claims webhooks that are due, as many as there is room for, and starts to call them; projects take turns. Returns whether there may be
 * more.
 */
export async function callDue(world: World): Promise<boolean> {
  const calling = callingOf(world)
  calling.places.review()
  if (calling.places.isFull() || world.closing.aborted) return false
  const turns = await world.db.lookups.run(findCallTurns, [calling.after, turnsPerBatch, world.clock.aheadMs])
  const { places, isFull, last = turns.at(-1)?.projectId } = share(world, turns)
  calling.after = !isFull && turns.length < turnsPerBatch ? '' : (last ?? '')
  if (places.size === 0) return turns.length === turnsPerBatch
  const taken = await claim(world, places)
  return taken > 0 || turns.length === turnsPerBatch
}

/** Resolves as soon as this process calls no webhook. */
export async function callsIdle(world: World): Promise<void> {
  const calling = callingOf(world)
  while (calling.running > 0) await calling.idle.wait()
}

// Places for webhooks that may begin, by project; `isFull` where some get none because others have taken the room.
function share(world: World, turns: CallTurn[]): { places: Map<string, Place[]>; isFull: boolean; last?: string } {
  const { places } = callingOf(world)
  const shares = new Map<string, Place[]>()
  for (const turn of turns) {
    if (!turn.due) continue
    if (places.isFull()) return { places: shares, isFull: true, last: [...shares.keys()].at(-1) ?? '' }
    const share: Place[] = []
    for (let place = places.take(turn); place; place = places.take(turn)) share.push(place)
    if (share.length > 0) shares.set(turn.projectId, share)
  }
  return { places: shares, isFull: false }
}

// Takes as many webhooks as there are places, and begins to call them there; returns how many.
async function claim(world: World, places: Map<string, Place[]>): Promise<number> {
  const claim = newClaim(world)
  const leaseMs = world.config.CLAIM_SECONDS * 1_000
  const counts = [...places.values()].map(({ length }) => length)
  const begun: { call: ClaimedCall; place: Place }[] = []
  try {
    const taken = await world.db.lookups.run(takeCalls, [[...places.keys()], counts, claim, leaseMs, world.clock.aheadMs])
    for (const call of taken) {
      const place = places.get(call.projectId)?.shift()
      if (place) begun.push({ call, place })
    }
  } finally {
    for (const unused of places.values()) for (const place of unused) place.end()
  }
  for (const { call, place } of begun) void begin(world, claim, call, place)
  return begun.length
}

async function begin(world: World, claim: string, call: ClaimedCall, place: Place): Promise<void> {
  const calling = callingOf(world)
  calling.running++
  place.begin()
  const review = setTimeout(() => calling.room.notify(), quickMs).unref()
  try {
    await makeCall(world, { ...call, claim, place })
  } catch (error) {
    world.log.error({ err: error }, 'webhooks: one will be called again after its lease')
  } finally {
    clearTimeout(review)
    place.end()
    calling.running--
    calling.room.notify()
    if (calling.running === 0) calling.idle.notify()
  }
}
