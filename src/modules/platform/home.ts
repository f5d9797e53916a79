import type { Ctx } from '../../kit/context.ts'
import type { PageAnswer } from '../../kit/html/page.ts'
import { homePage } from './views/home.ts'

/** Shows where everything is, as far as it is open to whoever looks. */
export async function showHome({ actor, config }: Pick<Ctx, 'actor' | 'config'>): Promise<PageAnswer> {
  const email = actor.kind === 'user' ? actor.email : undefined
  return homePage({ email, explorer: !config.production || email !== undefined, mailbox: config.mailbox })
}
