import { z } from 'zod'
import { statement } from '../../src/kit/postgres/db.ts'
import { upsertContact } from '../../src/modules/contacts/contacts.ts'
import { TrackDraft } from '../../src/modules/contacts/shapes.ts'
import { trackEvent } from '../../src/modules/contacts/track.ts'
import { createJob } from '../../src/modules/jobs/job.ts'
import { addSegmentMembers } from '../../src/modules/segments/members/members.ts'
import { createSegment } from '../../src/modules/segments/segments.ts'
import { suppressAddress } from '../../src/modules/suppressions/suppressions.ts'
import { createTemplate } from '../../src/modules/templates/templates.ts'
import { uploadImage } from '../../src/modules/uploads/uploads.ts'
import { drafted } from './campaigns.ts'
import { countWholeLog, summariseWholeLog } from './counted.ts'
import { logEvents } from './lines.ts'
import { accept, sendingProject } from './mails.ts'
import { freshUser, type Person } from './people.ts'
import { png } from './pictures.ts'
import { withExecution } from './workflows.ts'
import type { TestWorld } from './world.ts'

/** The tables a reset empties. */
export const emptied = [
  'campaigns',
  'captured_mails',
  'contact_counts',
  'contact_events',
  'contact_field_counts',
  'contact_fields',
  'contacts',
  'deliveries',
  'email_attachments',
  'email_contents',
  'email_counts',
  'email_quarters',
  'emails',
  'event_counts',
  'event_totals',
  'events',
  'idempotency_keys',
  'job_file_parts',
  'jobs',
  'segment_members',
  'segments',
  'suppressions',
  'template_versions',
  'templates',
  'workflow_calls',
  'workflow_entries',
  'workflow_executions',
  'workflow_step_counts',
  'workflow_step_executions',
  'workflow_steps',
  'workflow_transitions',
  'workflow_versions',
  'workflows',
]

// Without the request counts per minute, which expire on their own.
const tablesOf = statement<{ name: string }>(
  'test_tables_of_projects',
  `select c.table_name as name from information_schema.columns c where c.column_name = 'project_id' and c.table_schema = 'public'
   and c.table_name <> 'rate_windows'`,
)

/** A project with rows in every table that a reset empties, and its owner. */
export async function filledProject(world: TestWorld) {
  const project = await sendingProject(world)
  const owner: Person = await freshUser(world, { member: { projectId: project.projectId, role: 'OWNER' } })
  await fillProject(world, project)
  return { ...project, owner }
}

/** Adds rows to every table that a reset empties. */
export async function fillProject(world: TestWorld, { ctx, projectId }: Awaited<ReturnType<typeof sendingProject>>): Promise<void> {
  const template = await createTemplate(ctx, { subject: 'Hi', body: 'Hi', from: 'hello@demo.test' })
  await drafted(ctx, { templateId: template.id })
  const attachments = [{ filename: 'a.txt', content: 'YQ==', contentType: 'text/plain' }]
  const { id } = await accept({ ...ctx, idempotency: { key: 'one', fingerprint: 'x' } }, { data: { plan: 'pro' }, attachments })
  await trackEvent(ctx, TrackDraft.parse({ email: 'ada@example.com', event: 'signed-up', subscribed: true }))
  await createJob(ctx, { kind: 'import', input: {}, file: Buffer.from('email') })
  await suppressAddress(ctx, { email: 'bob@example.com', reason: 'BOUNCE' })
  const segment = await createSegment(ctx, { name: 'VIP', type: 'STATIC' })
  await addSegmentMembers(ctx, { id: segment.id, emails: ['ada@example.com'] })
  const { id: contactId } = await upsertContact(ctx, { email: 'ada@example.com' })
  await withExecution(world, { ctx, contactId, templateId: template.id })
  await uploadImage(ctx, { file: { filename: 'dot.png', contentType: 'image/png', bytes: png() } })
  await world.db.prisma.capturedMail.create({
    data: {
      id: `cap_${projectId}`,
      projectId,
      emailId: id,
      from: 'a@demo.test',
      to: [],
      subject: '',
      raw: Buffer.from(''),
      createdAt: world.clock.now(),
    },
  })
  await world.db.prisma.emailQuarter.create({ data: { projectId, at: world.clock.now(), sent: 1 } })
  await countWholeLog(world)
  await summariseWholeLog(world)
}

/** Makes every object of a filled project lead to those that it may lead to. */
export async function relateAll(world: TestWorld, projectId: string): Promise<void> {
  const { prisma } = world.db
  const where = { projectId }
  const idOf = async (found: Promise<{ id: string }>) => (await found).id
  const campaignId = await idOf(prisma.campaign.findFirstOrThrow({ where, select: { id: true } }))
  const templateId = await idOf(prisma.template.findFirstOrThrow({ where, select: { id: true } }))
  const segmentId = await idOf(prisma.segment.findFirstOrThrow({ where, select: { id: true } }))
  const executionId = await idOf(prisma.workflowExecution.findFirstOrThrow({ where, select: { id: true } }))
  const { id: emailId, contactId } = await prisma.email.findFirstOrThrow({ where, select: { id: true, contactId: true } })
  await prisma.email.updateMany({ where: { projectId, id: emailId }, data: { campaignId, executionId } })
  await prisma.emailContent.updateMany({ where, data: { templateId } })
  await prisma.campaign.updateMany({ where, data: { segmentId } })
  await prisma.suppression.updateMany({ where, data: { emailId } })
  const opened = { name: 'email.open', contactId, emailId, data: { campaignId, executionId } }
  await logEvents(world, projectId, [opened])
}

/** How many rows a project has, by table; tables without any are left out. */
export async function rowsOf({ db }: Pick<TestWorld, 'db'>, projectId: string): Promise<Record<string, number>> {
  const tables = await db.run(tablesOf, [])
  const counts = await Promise.all(
    tables.map(async ({ name }) => {
      const [row] = await db.run(
        statement<{ count: number }>(
          `test_count_${name}`,
          `select count(*) as count from ${z.string().regex(/^\w+$/).parse(name)} where project_id = $1`,
        ),
        [projectId],
      )
      return [name, row?.count ?? 0] as const
    }),
  )
  return Object.fromEntries(counts.filter(([, count]) => count > 0))
}
