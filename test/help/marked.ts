import { upsertContact } from '../../src/modules/contacts/contacts.ts'
import { TrackDraft } from '../../src/modules/contacts/shapes.ts'
import { trackEvent } from '../../src/modules/contacts/track.ts'
import { appendEvents } from '../../src/modules/events/log.ts'
import { createJob } from '../../src/modules/jobs/job.ts'
import { addSegmentMembers } from '../../src/modules/segments/members/members.ts'
import { createSegment } from '../../src/modules/segments/segments.ts'
import { suppressAddress } from '../../src/modules/suppressions/suppressions.ts'
import { createTemplate } from '../../src/modules/templates/templates.ts'
import { drafted } from './campaigns.ts'
import { countWholeAnalytics, countWholeLog, summariseWholeLog } from './counted.ts'
import { filledProject, relateAll } from './filled.ts'
import { accept } from './mails.ts'
import type { Person } from './people.ts'
import { drawn } from './workflows.ts'
import type { TestWorld } from './world.ts'

/** A filled project whose names and addresses bear a mark, so that an answer tells whose it is. */
export interface MarkedProject {
  projectId: string
  secret: string
  owner: Person
  /** Every id of its rows, its mark and the address of its owner: they stand in answers to this project only. */
  own: string[]
  /** An id of each of its tables, and the names that it was marked with, as parameters and arguments name them. */
  given: Record<string, string>
}

/** Makes a project with everything in it, whose names bear a mark: a word of small letters. It has so many of what is counted. */
export async function markedProject(world: TestWorld, mark: string, count: number): Promise<MarkedProject> {
  const { projectId, secret, owner, ctx } = await filledProject(world)
  const [email, eventName, field] = [`${mark}@people.example`, `${mark}-happened`, `${mark}_plan`]
  const contact = await upsertContact(ctx, { email, data: { [field]: mark } })
  await trackEvent(ctx, TrackDraft.parse({ email, event: eventName, data: { [field]: mark } }))
  await createTemplate(ctx, { name: mark, subject: mark, body: mark, from: 'hello@demo.test' })
  await drawn(ctx, { name: mark, eventName })
  const segment = await createSegment(ctx, { name: mark, type: 'STATIC' })
  await addSegmentMembers(ctx, { id: segment.id, emails: [email] })
  await suppressAddress(ctx, { email: `left-${email}`, reason: 'MANUAL' })
  const bulk = await createJob(ctx, { kind: 'bulk', input: { contactIds: [contact.id] } })
  const imported = await createJob(ctx, { kind: 'import', input: {}, file: Buffer.from('email') })
  for (let at = 0; at < count; at++) {
    const sent = await accept(ctx, { to: `${at}-${email}`, subject: mark, data: { shared: `${mark} ${at}`, [field]: mark } })
    await trackEvent(ctx, TrackDraft.parse({ email: `${at}-${email}`, event: 'signed-up', subscribed: true }))
    await drafted(ctx, { name: mark, subject: mark })
    const line = { name: 'email.sent', contactId: sent.contactId, emailId: sent.id }
    await ctx.db.transaction((tx) => appendEvents(tx, world, { projectId, at: ctx.clock.now(), lines: [line] }))
  }
  await relateAll(world, projectId)
  for (const read of [countWholeLog, summariseWholeLog, countWholeAnalytics]) await read(world)
  const ids = await idsOf(world, projectId)
  const { exe = '', ...given } = Object.fromEntries(ids.map((id) => [id.slice(0, 3), id]))
  const jobs = { bulk, import: imported }
  const known = { ...given, exe, wfl: exe.replace('exe', 'wfl'), cnt: contact.id, seg: segment.id, ...jobs, email, eventName, field }
  return { projectId, secret, owner, own: [...ids, mark, owner.email], given: known }
}

/** Every id that stands in a row of a project, each once. */
async function idsOf({ db }: TestWorld, projectId: string): Promise<string[]> {
  const tables = await db.prisma.$queryRawUnsafe<{ name: string }[]>(
    `select table_name as name from information_schema.columns where column_name = 'project_id' and table_schema = 'public'`,
  )
  const rows = tables.map(({ name }) => `select to_jsonb(t)::text as row from "${name}" t where t.project_id = '${projectId}'`)
  const found = await db.prisma.$queryRawUnsafe<{ row: string }[]>(rows.join(' union all '))
  return [...new Set(found.flatMap(({ row }) => row.match(/\b[a-z]{3}_[0-9a-z]{26}\b/g) ?? []))]
}
