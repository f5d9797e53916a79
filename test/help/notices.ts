import type { World } from '../../src/kit/world.ts'
import { NotificationJob } from '../../src/modules/notifications/shapes.ts'

/** The installation's own email to an address that is queued, oldest first. */
export async function noticesTo(world: World, email: string): Promise<NotificationJob['notification'][]> {
  const rows = await world.db.prisma.$queryRawUnsafe<{ data: unknown }[]>(
    `select data from pgboss.job where name = 'platform-mail' and data->>'to' = $1 order by created_on, data->>'id'`,
    email,
  )
  return rows.map(({ data }) => NotificationJob.parse(data).notification)
}

/** The token of the link in the newest email of a kind to an address. */
export async function tokenTo(world: World, email: string, kind: NotificationJob['notification']['kind']): Promise<string> {
  const newest = (await noticesTo(world, email)).findLast(({ kind: given }) => given === kind)
  if (!newest || !('path' in newest.data)) throw new Error(`No ${kind} was mailed to ${email}`)
  return newest.data.path.slice(newest.data.path.lastIndexOf('/') + 1)
}
