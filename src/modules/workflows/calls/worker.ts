import { loop } from '../../../kit/loop.ts'
import { createSignal } from '../../../kit/signal.ts'
import { createSlots } from '../../../kit/slots.ts'
import { perWorld, type World } from '../../../kit/world.ts'
import { newClaim } from '../run/advance.ts'
import { dueCallsTopic } from '../wake.ts'
import { makeCall } from './call.ts'
import { type ClaimedCall, findCallTurns, takeCalls } from './sql.ts'

const maxAtOnce = 64
// Of one project and of one account; of one that begins while the process is half full fewer, so that many slow receivers leave places
// to the others.
const maxPerProject = 8
const maxPerOwner = 16
const busy = { maxPerProject: 2, maxPerOwner: 4 }
const turnsPerBatch = 100
const everyMs = 1_000

const callingOf = perWorld((world) => ({
  slots: createSlots(maxAtOnce, (error) => world.log.error({ err: error }, 'webhooks: one will be called again after its lease')),
  perProject: new Map<string, number>(),
  perOwner: new Map<string, number>(),
  /** Notified when there is room again. */
  room: createSignal(world.closing),
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
  const free = calling.slots.free()
  if (free === 0 || world.closing.aborted) return false
  const turns = await world.db.lookups.run(findCallTurns, [calling.after, turnsPerBatch, world.clock.aheadMs])
  const wants = shares(
    world,
    turns.filter(({ due }) => due),
    free,
  )
  const last = wants.full ? wants.projects.at(-1) : turns.at(-1)?.projectId
  calling.after = !wants.full && turns.length < turnsPerBatch ? '' : (last ?? '')
  if (wants.projects.length === 0) return turns.length === turnsPerBatch
  const claim = newClaim(world)
  const leaseMs = world.config.CLAIM_SECONDS * 1_000
  const taken = await world.db.lookups.run(takeCalls, [wants.projects, wants.counts, claim, leaseMs, world.clock.aheadMs])
  const owners = new Map(turns.map(({ projectId, owner }) => [projectId, owner]))
  for (const one of taken) await begin(world, claim, { ...one, owner: owners.get(one.projectId) ?? one.projectId })
  return taken.length > 0 || turns.length === turnsPerBatch
}

/** Resolves as soon as this process calls no webhook. */
export async function callsIdle(world: World): Promise<void> {
  await callingOf(world).slots.idle()
}

interface Due {
  projectId: string
  owner: string
}

// How many webhooks of each project may begin; `full` where some get none because others have taken the room.
function shares(world: World, due: Due[], free: number): { projects: string[]; counts: number[]; full: boolean } {
  const { perProject, perOwner } = callingOf(world)
  const max = free > maxAtOnce / 2 ? { maxPerProject, maxPerOwner } : busy
  const projects: string[] = []
  const counts: number[] = []
  const given = new Map<string, number>()
  let left = free
  for (const { projectId, owner } of due) {
    if (left === 0) return { projects, counts, full: true }
    const ofOwner = max.maxPerOwner - (perOwner.get(owner) ?? 0) - (given.get(owner) ?? 0)
    const count = Math.min(left, ofOwner, max.maxPerProject - (perProject.get(projectId) ?? 0))
    if (count <= 0) continue
    projects.push(projectId)
    counts.push(count)
    given.set(owner, (given.get(owner) ?? 0) + count)
    left -= count
  }
  return { projects, counts, full: false }
}

async function begin(world: World, claim: string, call: ClaimedCall & Due): Promise<void> {
  const { slots, perProject, perOwner, room } = callingOf(world)
  const { projectId, owner } = call
  add(perProject, projectId, 1)
  add(perOwner, owner, 1)
  await slots.start(async () => {
    try {
      await makeCall(world, claim, call)
    } finally {
      add(perProject, projectId, -1)
      add(perOwner, owner, -1)
      // When its slot is free.
      setImmediate(() => room.notify())
    }
  })
}

function add(counts: Map<string, number>, name: string, change: 1 | -1): void {
  const left = (counts.get(name) ?? 0) + change
  if (left > 0) counts.set(name, left)
  else counts.delete(name)
}
