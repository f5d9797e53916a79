/**
 * What a queued email waits for: the key by which it is found when that has ended. Its `reason` says the same to people, and may be
 * reworded at any time.
 */
export type WaitsFor = 'CAMPAIGN' | 'TRANSPORT' | `SENDER:${string}` | `WARM_UP:${string}` | `DOMAIN:${string}`

/** What emails wait for whose campaign, or its project, is paused. */
export const waitsForCampaign = 'CAMPAIGN'

/** What emails wait for whose sender domain is not verified, before its name: for 24 hours from the first look that found it so. */
export const waitsForDomain = 'DOMAIN:'

/** What emails wait for while nothing is sent from a domain, or, without one, while nothing is sent at all. */
export function waitsForPause(domain: string | null): WaitsFor {
  return domain === null ? 'TRANSPORT' : `SENDER:${domain}`
}

/** What is said of emails whose campaign was cancelled. */
export const campaignCancelled = 'The campaign was cancelled.'

/** What is added to why an email is not sent when an earlier attempt may have succeeded. */
export const attemptMayHaveArrived = 'It may have arrived: how an earlier attempt ended is not known.'

/** What is said of emails whose campaign, or its project, is paused. */
export const campaignPaused = 'The campaign is paused.'

/** How long an email that is put aside waits before it is looked at again, unless it is taken back before. */
export const pausedMs = 24 * 3_600_000

/**
 * What holds deliveries of which copies alone are left: it has a lease without an end, so that no version takes them that does not know of
 * copies, and would send the whole email again. Those that a worker has claimed are held by this, a colon, and the worker, which has such a
 * lease as well: what counts is that of the worker itself.
 */
export const copiesWorker = 'copies'
