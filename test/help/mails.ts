import type { z } from 'zod'
import type { Ctx } from '../../src/kit/context.ts'
import { statement } from '../../src/kit/postgres/db.ts'
import { createDomain } from '../../src/modules/domains/domains.ts'
import { sendEmail } from '../../src/modules/emails/accept/send.ts'
import { SendDraft } from '../../src/modules/emails/accept/shapes.ts'
import { deliveryIdle, sweepEmails } from '../../src/modules/emails/delivery/worker.ts'
import { getEmail } from '../../src/modules/emails/emails.ts'
import type { Email } from '../../src/modules/emails/shapes.ts'
import { until } from './until.ts'
import { freshProject, type TestWorld } from './world.ts'

/** A project that may send from demo.test. */
export async function sendingProject(world: TestWorld): Promise<Awaited<ReturnType<typeof freshProject>>> {
  const project = await freshProject(world)
  const domain = domains.get(world) ?? makeDomain(world)
  domains.set(world, domain)
  await world.db.run(insertDomain, [project.projectId, await domain])
  return project
}

// Making a key takes longer than most tests: the projects of a world have the same one, of a project that is gone.
const domains = new WeakMap<TestWorld, Promise<string>>()
const insertDomain = statement<object>(
  'test_insert_domain',
  `insert into domains select (jsonb_populate_record(null::domains, $2::jsonb || jsonb_build_object('project_id', $1::text))).*`,
)
const takeDomain = statement<{ domain: string }>(
  'test_take_domain',
  `with gone as (delete from domains d where d.project_id = $1 returning d.*)
   select to_jsonb(g)::text as domain from gone g`,
)
const removeProject = statement<object>('test_remove_project', 'delete from projects where id = $1', {
  allProjects: 'a test removes its own',
})

async function makeDomain(world: TestWorld): Promise<string> {
  const { ctx, projectId } = await freshProject(world)
  await createDomain(ctx, { domain: 'demo.test' })
  const [taken] = await world.db.run(takeDomain, [projectId])
  await world.db.run(removeProject, [projectId])
  return taken?.domain ?? ''
}

const plain = { to: 'ada@example.com', from: 'hello@demo.test', subject: 'Hello {{ name ?? "you" }}', body: '<p>Hi {{ name }}</p>' }

/** Accepts one email, as POST /v1/send does, and returns its id. */
export async function accept(ctx: Ctx, draft: Partial<z.input<typeof SendDraft>> = {}): Promise<{ id: string; contactId: string }> {
  const { emails } = await sendEmail(ctx, SendDraft.parse({ ...plain, ...draft }))
  return { id: emails[0]?.email ?? '', contactId: emails[0]?.contact.id ?? '' }
}

/** Turns the clock, lets a worker process every email that is due, and waits until it is idle. */
export async function turnAndSweep(world: TestWorld, ms: number): Promise<void> {
  world.clock.turn(ms)
  while (await sweepEmails(world));
  await deliveryIdle(world)
}

/** Waits until an email has a status, and returns it. */
export async function settled(ctx: Ctx, id: string, status: string): Promise<Email> {
  await until(async () => (await getEmail(ctx, { id })).status === status)
  return getEmail(ctx, { id })
}

/** The log of a project, oldest first, as name and data; without the line of the domain that `sendingProject` added. */
export async function logOf({ db, projectId }: Ctx): Promise<{ name: string; data: Record<string, unknown> }[]> {
  const rows = await db.prisma.event.findMany({ where: { projectId }, orderBy: { id: 'asc' }, select: { name: true, data: true } })
  const lines = rows.map(({ name, data }) => ({ name, data: (data ?? {}) as Record<string, unknown> }))
  return lines.slice(lines[0]?.name === 'project.changed' ? 1 : 0)
}
