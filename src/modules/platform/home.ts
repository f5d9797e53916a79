import type { Ctx } from '../../kit/context.ts'
import type { TransportProblem } from '../../kit/transport-problem.ts'
import { transportState } from '../emails/delivery/transport.ts'
import { maxCounted, readInstallation } from './sql.ts'

/** The state of an installation, as the home page shows it outside production. */
export interface InstallationState {
  /** EMAIL_TRANSPORT without user and password. */
  transport: string
  transportState: 'ok' | 'unavailable' | 'unknown'
  problem: TransportProblem | null
  verifiedDomains: number
  pendingDomains: number
  /** Emails that have not been sent yet. */
  waiting: number
}

/** What the home page offers to its caller. */
export interface HomeView {
  /** The address of the user who is signed in. */
  email: string | undefined
  state: InstallationState | undefined
  explorer: boolean
  mailbox: boolean
}

/** The home page: what the caller may open, and outside production the state of the installation. */
export async function getHome(ctx: Ctx): Promise<HomeView> {
  const { actor, config } = ctx
  const email = actor.kind === 'user' ? actor.email : undefined
  const state = config.production || email !== undefined ? undefined : await getInstallationState(ctx)
  return { email, state, explorer: !config.production || email !== undefined, mailbox: config.mailbox }
}

/** The state of the installation: its email transport, sender domains, and emails not sent yet (counted up to 10,000). */
export async function getInstallationState({ world, config, db }: Pick<Ctx, 'world' | 'config' | 'db'>): Promise<InstallationState> {
  const [counts] = await db.run(readInstallation, [maxCounted])
  const { state, problem } = transportState(world)
  const transport = config.EMAIL_TRANSPORT.replace(/^(smtps?:\/\/).*@/, '$1')
  return { transport, transportState: state, problem, verifiedDomains: 0, pendingDomains: 0, waiting: 0, ...counts }
}
