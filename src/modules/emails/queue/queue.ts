import { isDatabaseUnreachable } from '../../../kit/postgres/db.ts'
import { recent } from '../../../kit/recent.ts'
import { createSlots, type Slots } from '../../../kit/slots.ts'
import { createTally } from '../../../kit/tally.ts'
import type { World } from '../../../kit/world.ts'
import { type Lane, lanes } from '../shapes.ts'
import { type Claimed, type ClaimedEmail, claimEmails, type Turn } from './claim.ts'
import { createPace, type Pace } from './pace.ts'

/** Which projects have emails to send, and how many are being sent. */
export interface DeliveryQueue {
  /** A project has emails in a lane: it takes turns with the others until it has none. */
  offer(turns: { projectId: string; lane: Lane }[]): void
  /** Resolves when no email is being sent and none may be sent now. */
  idle(): Promise<void>
}

/** How many emails of each lane are in progress per process: none takes the places of another. */
const places: Record<Lane, number> = { transactional: 600, workflow: 300, campaign: 600 }
const maxProjectsAtOnce = 50
// The others are for projects whose first email is yet to come.
const maxShareOfOne = 0.75
// Of which a project takes one at a time, while it has none: however many others have emails, it need not wait for them.
const shareOfNewcomers = 0.1
const retryMs = 1_000
const maxAccounts = 20_000
// The account of a project of which nothing was claimed yet.
const unknown = ''

/** What a queue does with the emails it claims. */
export interface QueuePlan {
  /** Attempts one claimed email and records the outcome. Returns whether it left: otherwise it has used nothing of the sending rate. */
  deliver(email: ClaimedEmail): Promise<boolean>
  /** Whether emails may be claimed now; when they may again, their projects are offered again. */
  mayStart(): boolean
  /** How many emails of an account may be claimed at the same time in a lane, as they take long; Infinity, the default, where they do not. */
  maxClaimed?(lane: Lane, account: string): number
}

/**
 * The queue of this process. In each lane projects take turns, so that an email waits for one turn of every other project and
 * not for their backlogs.
 */
export function createQueue(world: World, { deliver, mayStart, maxClaimed }: QueuePlan): DeliveryQueue {
  const pace = createPace(world.config.SEND_RATE_PER_PROCESS)
  const ofLane = Object.fromEntries(
    lanes.map((lane) => [lane, createLane({ world, lane, pace, deliver, mayStart, ...(maxClaimed && { maxClaimed }) })]),
  ) as Record<Lane, LaneQueue>
  return {
    offer(turns) {
      for (const { lane, projectId } of turns) ofLane[lane].offer(projectId)
    },
    async idle() {
      while (lanes.some((lane) => ofLane[lane].busy())) await Promise.all(lanes.map((lane) => ofLane[lane].idle()))
    },
  }
}

interface LaneQueue {
  offer(projectId: string): void
  busy(): boolean
  idle(): Promise<void>
}

interface Waiting {
  projectId: string
  /** Only emails after this id are looked for: those before it were claimed. */
  after: string
  /** When its sending rate allows the next email, in ms of `now`. */
  from: number
}

interface LanePlan extends QueuePlan {
  world: World
  lane: Lane
  /** The sending rate of the process, shared by the lanes. */
  pace: Pace
}

function createLane({ world, lane, pace, deliver, mayStart, maxClaimed = unlimited }: LanePlan): LaneQueue {
  const slots: Slots = createSlots(places[lane], (error) =>
    world.log.error({ err: error }, 'emails: a delivery failed unexpectedly and will be tried again'),
  )
  // In the order of their turns.
  const waiting = new Map<string, Waiting>()
  const underWay = createTally()
  // The same of accounts, and whose a project is, once one of its emails was claimed.
  const ofAccounts = createTally()
  const accounts = recent<string, string>({ max: maxAccounts })
  let pumping: Promise<void> | undefined
  let again = false
  let timer: { from: number; handle: NodeJS.Timeout } | undefined

  // Monotonic, and turned by tests.
  function now(): number {
    return performance.now() + world.clock.aheadMs
  }

  function ready(): Waiting[] {
    const at = now()
    const able: Waiting[] = []
    for (const one of waiting.values()) {
      if (one.from <= at) able.push(one)
      else wakeAt(one.from)
    }
    return able
  }

  // Each project gets an equal share of the places, less what it already has, and of those as many as the sending rate of the
  // process allows.
  function nextTurns(): Turn[] {
    const able = mayStart() ? ready() : []
    const isUrgent = lane === 'transactional'
    const projects = new Set([...able.map(({ projectId }) => projectId), ...underWay.owners()]).size
    const share = Math.max(1, Math.floor(places[lane] * Math.min(maxShareOfOne, 1 / Math.max(1, projects))))
    const turns: Turn[] = []
    let free = slots.free()
    let tokens = pace.allowed(isUrgent)
    let short = false
    const granted = createTally()
    // Of what an account may have claimed as its emails take long.
    const leftOf = (account: string): number =>
      account === unknown ? free : maxClaimed(lane, account) - ofAccounts.of(account) - granted.of(account)
    for (const { projectId, after } of able) {
      if (turns.length === maxProjectsAtOnce) break
      const already = underWay.of(projectId)
      const room = Math.max(free - places[lane] * shareOfNewcomers, already === 0 ? 1 : 0)
      const fitting = Math.floor(Math.min(free, room, share - already))
      // A claim for a few emails costs nearly as much as one for many: wait until more of the project's emails have ended.
      if (fitting <= 0 || (already > 0 && fitting < share / 3)) continue
      const account = accounts.get(projectId) ?? unknown
      const left = leftOf(account)
      if (left <= 0) continue
      const want = Math.min(fitting, left, tokens)
      short ||= want < Math.min(fitting, left)
      if (want <= 0) break
      turns.push({ projectId, after, want })
      granted.add(account, want)
      free -= want
      tokens -= want
    }
    if (isUrgent) pace.setUrgent(short)
    if (short) wakeAt(now() + pace.waitMs())
    return turns
  }

  async function round(): Promise<boolean> {
    const turns = world.closing.aborted ? [] : nextTurns()
    if (turns.length === 0) return false
    const entries = new Map(turns.map(({ projectId }) => [projectId, waiting.get(projectId)]))
    for (const claimed of await claimEmails(world, lane, turns)) {
      const want = turns.find(({ projectId }) => projectId === claimed.projectId)?.want ?? 0
      requeue(claimed, want, entries.get(claimed.projectId))
      pace.take(claimed.emails.length)
      for (const email of claimed.emails) start(email)
    }
    return true
  }

  function requeue({ projectId, granted, emails }: Claimed, want: number, entry: Waiting | undefined): void {
    // Offered again meanwhile: its emails may be newer than what this claim could see.
    if (!entry || waiting.get(projectId) !== entry) return
    waiting.delete(projectId)
    if (emails.length < granted) return
    const from = granted < want ? now() + 1_000 / Math.max(1, world.config.SEND_RATE_PER_PROJECT) : 0
    waiting.set(projectId, { projectId, after: emails.at(-1)?.id ?? entry.after, from })
  }

  function wakeAt(from: number): void {
    if (timer && timer.from <= from) return
    clearTimeout(timer?.handle)
    const wake = (): void => {
      timer = undefined
      pump()
    }
    timer = { from, handle: setTimeout(wake, Math.max(1, from - now())).unref() }
  }

  function start(email: ClaimedEmail): void {
    const { projectId, account } = email
    accounts.set(projectId, account)
    underWay.add(projectId, 1)
    ofAccounts.add(account, 1)
    void slots.start(async () => {
      try {
        if (!(await deliver(email))) pace.take(-1)
      } finally {
        underWay.add(projectId, -1)
        ofAccounts.add(account, -1)
        // In the next turn of the event loop, when the slot is free.
        setImmediate(pump)
      }
    })
  }

  function pump(): void {
    again = true
    pumping ??= rounds()
  }

  async function rounds(): Promise<void> {
    try {
      while (again) {
        again = false
        while (await round());
      }
    } catch (error) {
      const level = isDatabaseUnreachable(error) ? 'debug' : 'error'
      world.log[level]({ err: error }, 'emails: claiming failed and will be tried again')
      wakeAt(now() + retryMs)
    } finally {
      // Here, and not when the promise has settled: whoever pumps in between would start nothing.
      pumping = undefined
    }
  }

  return {
    offer(projectId) {
      waiting.set(projectId, { projectId, after: '', from: waiting.get(projectId)?.from ?? 0 })
      pump()
    },
    busy: () => pumping !== undefined || slots.free() < places[lane],
    async idle() {
      await slots.idle()
      await new Promise<void>((resolve) => setImmediate(resolve))
      await pumping
    },
  }
}

const unlimited = (): number => Number.POSITIVE_INFINITY
