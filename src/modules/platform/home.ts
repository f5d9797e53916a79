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

/** The state of the installation: its email transport, sender domains, and emails not sent yet (counted up to 10,000). */
export async function getInstallationState({ world, config, db }: Pick<Ctx, 'world' | 'config' | 'db'>): Promise<InstallationState> {
  const [counts] = await db.run(readInstallation, [maxCounted])
  const { state, problem } = transportState(world)
  const transport = config.EMAIL_TRANSPORT.replace(/^(smtps?:\/\/).*@/, '$1')
  return { transport, transportState: state, problem, verifiedDomains: 0, pendingDomains: 0, waiting: 0, ...counts }
}

// An envelope on the accent colour, readable at 16 pixels.
const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1d4ed8"/><path d="M7 10h18v13H7z M7 10l9 8 9-8" fill="none" stroke="#fff" stroke-width="2.5" stroke-linejoin="round"/></svg>`

/** The icon browsers show beside the title of every page. */
export async function showIcon(): Promise<PageAnswer> {
  return { status: 200, headers: { 'Content-Type': 'image/svg+xml', 'Cache-Control': 'public, max-age=86400' }, body: icon }
}
