import type { Ctx } from '../../../kit/context.ts'
import { networkOf } from '../../../kit/networks.ts'
import { type AttemptLimit, attemptInTurn, requireAttemptsLeft, takeAttempt } from '../../users/attempts.ts'

const windowMs = 15 * 60_000
const message = 'This link was used too often.'
const perLink: AttemptLimit = { name: 'link', max: 10, windowMs, message }
const perNetwork: AttemptLimit = {
  name: 'link network',
  max: 100,
  windowMs,
  message: 'Too many links were used from this network.',
}

/**
 * Does what the link of an email allows. The calls of one link take turns, so that of many at the same moment only the first does the
 * work, such as hashing a password, and the others find the link used: `use` has to check the link again. Fails with
 * RATE_LIMIT_EXCEEDED after 10 calls of a link, or 100 from a network, in 15 minutes.
 */
export async function followLink<Result>(ctx: Ctx, token: string, use: () => Promise<Result>): Promise<Result> {
  const link = [perLink, token] as const
  const network = [perNetwork, networkOf(ctx.client.address)] as const
  await requireAttemptsLeft(ctx, [link, network])
  return attemptInTurn(ctx, link, async () => {
    await requireAttemptsLeft(ctx, [link, network])
    await takeAttempt(ctx, ...link)
    await takeAttempt(ctx, ...network)
    return use()
  })
}
