import { setTimeout as sleep } from 'node:timers/promises'
import { callIn } from '../../kit/context.ts'
import type { World } from '../../kit/world.ts'
import { advanceCampaigns, stepsIdle } from '../../modules/campaigns/run/run.ts'
import { hasUnsettledEvents } from '../../modules/events/log.ts'
import { summariseLog } from '../../modules/events/summary/summary.ts'
import { handleAll } from '../../modules/workflows/lines/worker.ts'
import { advanceDue, runnerIdle } from '../../modules/workflows/run/worker.ts'
import { followEvents } from '../../modules/workflows/triggers/triggers.ts'
import { campaigns } from './campaigns.ts'
import { createOnboarding, createSegments, createTemplates } from './contents.ts'
import { deliverPast, endDelivery } from './mailing.ts'
import { demoPeople } from './people.ts'
import { readers, receivers, type Story } from './story.ts'
import { createChance, createTimeline } from './timeline.ts'

const dayMs = 24 * 3_600_000
const days = 45
// Ids that are made now must not fall among those of the demo data.
const restMs = 5 * 60_000

/**
 * Lets 45 days happen in a project by the operations that callers use, at the times at which they would have: people sign up, use the
 * product, are sent email, open it and follow its links, run through a workflow and are sent a campaign. Each thing is a transaction of
 * its own. No worker may run meanwhile: it would do the same with the time of now. Returns whether all of it has happened, which is not
 * so when the world closes before.
 */
export async function makeHistory(world: World, { projectId, from }: { projectId: string; from: string }): Promise<boolean> {
  const end = world.clock.now().getTime() - restMs
  const start = end - days * dayMs
  const timeline = createTimeline(start, end)
  // What a world keeps is kept for each world: caches, batches and leases of the past are its own.
  const past: World = { ...world, clock: timeline.clock }
  const ctx = callIn(past, { projectId, actor: { kind: 'system' } })
  const story: Story = { ctx, timeline, chance: createChance(7), end, from, work: () => work(story), deliver: () => deliver(story) }
  try {
    timeline.at(start, () => begin(story, start))
    await timeline.play(() => world.closing.aborted)
    await finish(story)
  } finally {
    await endDelivery(past)
  }
  return !world.closing.aborted
}

async function begin(story: Story, start: number): Promise<void> {
  const { ctx, timeline, end } = story
  const templates = await createTemplates(ctx, story.from)
  const segments = await createSegments(ctx)
  const workflowId = await createOnboarding(ctx, templates.welcome)
  const dateOf = (since: number): Date => new Date(start + since * (end - start))
  const people = demoPeople((since) => dateOf(since).toISOString().slice(0, 10))
  for (const person of people) readers(story, person, { since: dateOf(person.since).getTime(), receipt: templates.receipt })
  campaigns(story, { people, segments, templates, workflowId })
  // What waits for a time, such as the end of a delay.
  for (let at = start; at < end; at += dayMs) timeline.at(at, () => nextDay(story))
}

async function nextDay(story: Story): Promise<void> {
  // Conditions and segments ask what happened.
  while (await summariseLog(story.ctx.world));
  await story.work()
}

// What workers would do now: start executions and take them on, begin campaigns, deliver.
async function work(story: Story): Promise<void> {
  const { world } = story.ctx
  while (await followEvents(world));
  do {
    while (await advanceDue(world)) await runnerIdle(world)
    await runnerIdle(world)
  } while ((await handleAll(world)) > 0)
  while (await advanceCampaigns(world)) await stepsIdle(world)
  await stepsIdle(world)
  await deliver(story)
}

// What others write meanwhile keeps lines of the log from being read for a moment: left to the workers, they would begin now.
async function finish(story: Story): Promise<void> {
  const { ctx } = story
  const isWaiting = async () => !ctx.world.closing.aborted && (await hasUnsettledEvents(ctx))
  do {
    while (await isWaiting()) await sleep(20)
    await work(story)
  } while (await isWaiting())
}

async function deliver(story: Story): Promise<void> {
  const { world, projectId } = story.ctx
  for (const email of await deliverPast(world, projectId)) receivers(story, email)
}
