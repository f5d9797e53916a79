import type { World } from '../../src/kit/world.ts'
import { NoticeJob } from '../../src/modules/notifications/shapes.ts'

/** The installation's own mail to an address that is queued, oldest first. */
export async function noticesTo(world: World, email: string): Promise<NoticeJob['notice'][]> {
  const rows = await world.db.prisma.$queryRawUnsafe<{ data: unknown }[]>(
    `select data from pgboss.job where name = 'platform-mail' and data->>'to' = $1 order by created_on, data->>'id'`,
    email,
  )
  return rows.map(({ data }) => NoticeJob.parse(data).notice)
}

/** The token of the link in the newest mail of a kind to an address. */
export async function tokenTo(world: World, email: string, kind: NoticeJob['notice']['kind']): Promise<string> {
  const newest = (await noticesTo(world, email)).findLast((notice) => notice.kind === kind)
  if (!newest || !('path' in newest.data)) throw new Error(`No ${kind} was mailed to ${email}`)
  return newest.data.path.slice(newest.data.path.lastIndexOf('/') + 1)
}
