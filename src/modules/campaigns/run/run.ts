import { isDeepStrictEqual } from 'node:util'
import { isDatabaseUnreachable, type Transaction } from '../../../kit/postgres/db.ts'
import { recent } from '../../../kit/recent.ts'
import { createSignal, type Signal } from '../../../kit/signal.ts'
import { createSlots } from '../../../kit/slots.ts'
import { perWorld, type World } from '../../../kit/world.ts'
import type { Stage } from '../sql.ts'
import { isUndecided, settle } from './cancel.ts'
import { deliver } from './deliver.ts'
import { cancelRest, clear, erase } from './remove.ts'
import { snapshot } from './snapshot.ts'
import { applyStep, type CampaignStep, type DueCampaign, type DueProject, findDue, lockTaken, takeDue, wakeAhead } from './sql.ts'
import { startScheduled } from './start.ts'
import type { Step } from './step.ts'
import { campaignsTopic } from './wake.ts'

/**
 * Begins the next step of a campaign that is due: each is one short transaction that also moves the campaign on, so that any process
 * continues after a crash, and no step is done twice. Accounts take turns, and so do the projects of one; an account has one step at a
 * time, and one audience, which may take long to read, beside it. Waits only for room, not for the end of the step. Returns whether
 * there was one.
 */
export async function advanceCampaigns(world: World): Promise<boolean> {
  if (world.closing.aborted) return false
  const { steps, audiences } = runOf(world)
  const hasRoom = audiences.slots.free() > 0
  const due = await world.db.run(findDue, [world.clock.now(), hasRoom])
  for (const turn of byTurn(world, due)) {
    if (steps.accounts.has(turn.account)) continue
    const now = world.clock.now()
    // If its step takes longer, another worker may do the same: what comes second changes nothing.
    const until = new Date(now.getTime() + world.config.CLAIM_SECONDS * 1_000)
    const [campaign] = await world.db.run(takeDue, [turn.projectId, now, until, hasRoom && !audiences.accounts.has(turn.account)])
    if (!campaign) continue
    await begin(world, turn, campaign)
    return true
  }
  return false
}

// Whose last turn is longest ago comes first.
function byTurn(world: World, due: DueProject[]): DueProject[] {
  const { turns } = runOf(world)
  const last = (key: string): number => turns.get(key) ?? 0
  return due.toSorted((one, other) => last(one.account) - last(other.account) || last(one.projectId) - last(other.projectId))
}

async function advance(world: World, campaign: DueCampaign): Promise<void> {
  const write = await stepOf(campaign)(world, campaign)
  await world.db.transaction(async (tx) => {
    if (!(await isUnchanged(tx, campaign))) return
    const step: CampaignStep = await write(tx)
    await tx.run(applyStep, [campaign.projectId, campaign.id, world.clock.now(), JSON.stringify(step)])
    tx.afterCommit(() => world.notices.publish(campaignsTopic, campaign.projectId))
  })
}

// Of which each account has one.
const maxSteps = 4
const maxAudiences = 4
const maxRemembered = 10_000

const runOf = perWorld((world) => {
  const work = (max: number) => ({
    accounts: new Set<string>(),
    slots: createSlots(max, (err) =>
      world.log[isDatabaseUnreachable(err) ? 'debug' : 'error']({ err }, 'campaigns: a step failed, and will be tried again'),
    ),
  })
  return {
    steps: work(maxSteps),
    audiences: work(maxAudiences),
    ended: createSignal(world.closing),
    // When an account, or a project, had its last turn, as the number of that turn.
    turns: recent<string, number>({ max: maxRemembered }),
    turn: 0,
  }
})

async function begin(world: World, { account, projectId }: DueProject, campaign: DueCampaign): Promise<void> {
  const run = runOf(world)
  const { accounts, slots } = stepOf(campaign) === snapshot ? run.audiences : run.steps
  run.turn++
  for (const key of [account, projectId]) run.turns.set(key, run.turn)
  accounts.add(account)
  await slots.start(async () => {
    try {
      await advance(world, campaign)
    } finally {
      accounts.delete(account)
      run.ended.notify()
    }
  })
}

/** Is given when this process has done a step: its campaign may be due again. */
export function stepSignal(world: World): Signal {
  return runOf(world).ended
}

/** Resolves as soon as this process does no step. */
export async function stepsIdle(world: World): Promise<void> {
  const { steps, audiences } = runOf(world)
  await Promise.all([steps.slots.idle(), audiences.slots.idle()])
}

// Longer than any step waits.
const maxWaitMs = 10 * 60_000

/**
 * Continues campaigns that wait for a time which is too far away, because the clock of the machine was set back: otherwise they would
 * stand still for as long. Returns false: there is nothing more to do until the next turn.
 */
export async function wakeStalled(world: World): Promise<false> {
  const now = world.clock.now()
  await world.db.run(wakeAhead, [now, new Date(now.getTime() + maxWaitMs)])
  return false
}

const stages: Record<Stage, Step> = { CLEAR: clear, SNAPSHOT: snapshot, DELIVER: deliver, CANCEL: cancelRest, ERASE: erase }

function stepOf({ stage, status, deleted, erasing }: DueCampaign): Step {
  if (erasing) return rest
  if (isUndecided({ status, stage })) return settle
  if (stage) return stages[stage]
  if (deleted) return erase
  return status === 'SCHEDULED' ? startScheduled : rest
}

// Nothing to do: its project is being emptied, or its state has changed.
const rest: Step = async () => async () => ({ wakeAt: null })

// Somebody may have paused, cancelled or deleted it meanwhile: then it is due again.
async function isUnchanged(tx: Transaction, { projectId, id, ...taken }: DueCampaign): Promise<boolean> {
  const [now] = await tx.run(lockTaken, [projectId, id])
  return now !== undefined && (Object.keys(now) as (keyof typeof now)[]).every((key) => isDeepStrictEqual(now[key], taken[key]))
}
