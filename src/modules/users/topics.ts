import { announceEverywhere } from '../../kit/announce.ts'
import type { Ctx } from '../../kit/context.ts'
import { topic } from '../../kit/notices.ts'

/** Notices of users whose sessions or memberships have changed. */
export const sessionsTopic = topic('sessions')

/** Notifies every process, live sockets included, that a user's sessions or memberships have changed, and waits at most 1.1 s for them to handle it. */
export async function announceUser({ notices }: Pick<Ctx, 'notices'>, userId: string): Promise<void> {
  await announceEverywhere(notices, sessionsTopic, userId)
}
