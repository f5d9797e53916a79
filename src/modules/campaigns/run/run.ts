import { isDeepStrictEqual } from 'node:util'
import { isDatabaseUnavailable, type Transaction } from '../../../kit/postgres/db.ts'
import { createSignal, type Signal } from '../../../kit/signal.ts'
import { createSlots } from '../../../kit/slots.ts'
import { perWorld, type World } from '../../../kit/world.ts'
import type { Stage } from '../sql.ts'
import { isUndecided, settle } from './cancel.ts'
import { deliver } from './deliver.ts'
import { cancelRest, clear, erase } from './remove.ts'
import { snapshot } from './snapshot.ts'
import { applyStep, type CampaignStep, type DueCampaign, lockTaken, takeDue, wakeAhead } from './sql.ts'
import { startScheduled } from './start.ts'
import type { Step } from './step.ts'
import { campaignsTopic } from './wake.ts'

/**
 * Does the next step of the campaign that has been due longest: each is one short transaction that also moves the campaign on, so that
 * any process continues after a crash, and no step is done twice. The audience of a campaign is read beside the others, because that may
 * take long: then this does not wait for its end. Returns whether there was one.
 */
export async function advanceCampaigns(world: World): Promise<boolean> {
  if (world.closing.aborted) return false
  const { slots, projects } = audiencesOf(world)
  const now = world.clock.now()
  // If its step takes longer, another worker may do the same: what comes second changes nothing.
  const until = new Date(now.getTime() + world.config.CLAIM_SECONDS * 1_000)
  const [campaign] = await world.db.run(takeDue, [now, until, slots.free() > 0, [...projects]])
  if (!campaign) return false
  if (stepOf(campaign) === snapshot) await beginAudience(world, campaign)
  else await advance(world, campaign)
  return true
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

// Of which each project has one: a slow condition holds up nobody else.
const maxAudiences = 4

const audiencesOf = perWorld((world) => ({
  projects: new Set<string>(),
  ended: createSignal(world.closing),
  slots: createSlots(maxAudiences, (err) =>
    world.log[isDatabaseUnavailable(err) ? 'debug' : 'error']({ err }, 'campaigns: an audience was not read, and will be again'),
  ),
}))

async function beginAudience(world: World, campaign: DueCampaign): Promise<void> {
  const { slots, projects, ended } = audiencesOf(world)
  projects.add(campaign.projectId)
  await slots.start(async () => {
    try {
      await advance(world, campaign)
    } finally {
      projects.delete(campaign.projectId)
      ended.notify()
    }
  })
}

/** Is given when this process has read the next part of an audience: its campaign may be due again. */
export function audienceSignal(world: World): Signal {
  return audiencesOf(world).ended
}

/** Resolves as soon as this process reads no audience. */
export async function audiencesIdle(world: World): Promise<void> {
  await audiencesOf(world).slots.idle()
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
