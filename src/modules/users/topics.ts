import { announceEverywhere } from '../../kit/announce.ts'
import type { Ctx } from '../../kit/context.ts'

/** The notice topic that tells every process to look a user's sessions and memberships up again. */
export const sessionsTopic = 'sessions'

/** Lets every process hear that a user's sessions or memberships have changed, live sockets included, before it answers. */
export async function announceUser({ notices }: Pick<Ctx, 'notices'>, userId: string): Promise<void> {
  await announceEverywhere(notices, sessionsTopic, userId)
}
