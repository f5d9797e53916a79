import { announceEverywhere } from '../../kit/announce.ts'
import type { Ctx } from '../../kit/context.ts'
import { topic } from '../../kit/notices.ts'

/** Notices of users whose sessions or memberships have changed. */
export const sessionsTopic = topic('sessions')

/** Lets every process hear that a user's sessions or memberships have changed, live sockets included, before it answers. */
export async function announceUser({ notices }: Pick<Ctx, 'notices'>, userId: string): Promise<void> {
  await announceEverywhere(notices, sessionsTopic, userId)
}
