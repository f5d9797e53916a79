import type { Ctx } from '../../kit/context.ts'
import type { PageAnswer } from '../../kit/html/page.ts'
import { transportState } from '../emails/delivery/transport.ts'
import { maxCounted, readInstallation } from './sql.ts'
import { homePage, type InstallationState } from './views/home.ts'

/** The home page: links to what the caller may open, and outside production the state of the installation. */
export async function showHome(ctx: Ctx): Promise<PageAnswer> {
  const { actor, config } = ctx
  const email = actor.kind === 'user' ? actor.email : undefined
  const state = config.production || email !== undefined ? undefined : await getInstallationState(ctx)
  return homePage({ email, state, explorer: !config.production || email !== undefined, mailbox: config.mailbox })
}

/** The state of the installation: its mail transport, sender domains, and emails not sent yet (counted up to 10,000). */
export async function getInstallationState({ world, config, db }: Pick<Ctx, 'world' | 'config' | 'db'>): Promise<InstallationState> {
  const [counts] = await db.run(readInstallation, [maxCounted])
  const { state, problem } = transportState(world)
  const transport = config.EMAIL_TRANSPORT.replace(/^(smtps?:\/\/).*@/, '$1')
  return { transport, transportState: state, problem, verifiedDomains: 0, pendingDomains: 0, waiting: 0, ...counts }
}
