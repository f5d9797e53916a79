import type { Ctx } from '../../kit/context.ts'
import { updateContact, upsertContact } from '../../modules/contacts/contacts.ts'
import { TrackDraft } from '../../modules/contacts/shapes.ts'
import { trackEvent } from '../../modules/contacts/track.ts'
import { sendEmail } from '../../modules/emails/accept/send.ts'
import { SendDraft } from '../../modules/emails/accept/shapes.ts'
import { recordBounce, recordDelivered } from '../../modules/emails/feedback/record.ts'
import { recordEngaged } from '../../modules/emails/tracking/record.ts'
import { demoLinks, signUpEvent } from './contents.ts'
import type { SentEmail } from './mailing.ts'
import type { DemoPerson } from './people.ts'
import type { Timeline } from './timeline.ts'

const [secondMs, minuteMs, hourMs] = [1_000, 60_000, 3_600_000]
const dayMs = 24 * hourMs

/** What the parts of the demo data share. */
export interface Story {
  /** Acts in the project, at the time of the timeline. */
  ctx: Ctx
  timeline: Timeline
  chance: () => number
  /** When it ends, in ms since 1970. */
  end: number
  /** The sender of its emails. */
  from: string
  /** Does what workers would do at this time. */
  work(): Promise<void>
  /** Only delivers. */
  deliver(): Promise<void>
}

/** Lets a person sign up and use the product from then on. */
export function readers(story: Story, person: DemoPerson, { since, receipt }: { since: number; receipt: string }): void {
  const { ctx, timeline, chance, end } = story
  const { email } = person.draft
  const track = (event: string, data?: Record<string, unknown>) => async () =>
    void (await trackEvent(ctx, TrackDraft.parse({ email, event, ...(data && { data }) })))
  timeline.at(since, async () => void (await upsertContact(ctx, person.draft)))
  timeline.at(since + 2 * secondMs, track(signUpEvent, { plan: person.plan }))
  timeline.at(since + 5 * secondMs, story.work)
  if (chance() < 0.7) timeline.at(since + hourMs + chance() * dayMs, track('project created'))
  for (let day = since + dayMs; day < end; day += dayMs) {
    // Less at the weekend, as people do.
    const isWeekend = [0, 6].includes(new Date(day).getUTCDay())
    if (chance() < (isWeekend ? 0.04 : 0.16)) timeline.at(day + chance() * 6 * hourMs, track('app opened'))
  }
  if (person.plan === 'free') return
  for (let at = since + chance() * 5 * dayMs; at < end; at += 15 * dayMs) order(story, person, { at, receipt })
}

function order(
  { ctx, timeline, deliver, from }: Story,
  { draft: { email, data }, plan }: DemoPerson,
  { at, receipt }: { at: number; receipt: string },
) {
  const amount = 9 * Number(data.seats)
  const transient = { value: amount, persistent: false }
  timeline.at(at, async () => {
    await trackEvent(ctx, TrackDraft.parse({ email, event: 'order placed', data: { amount: transient, plan } }))
    await sendEmail(ctx, SendDraft.parse({ to: email, from, template: receipt, data: { amount: transient } }))
  })
  timeline.at(at + 2 * secondMs, deliver)
}

const phone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148'
const desktop = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
// One that says what it is, and one that Apple Mail uses for all email, read or not.
const scanner = 'Mozilla/5.0 (compatible; BarracudaCentral/1.0; bot)'
const appleMail = 'Mozilla/5.0'

/** The address of the demo data that takes no email. */
export const goneAddress = 'nobody.at.home@globex.test'

/** Lets what happens to an email after it left happen: it arrives or bounces, and people and programs open it and follow its links. */
export function receivers(story: Story, email: SentEmail): void {
  const { ctx, timeline, chance } = story
  const { world, projectId } = ctx
  const now = world.clock.now().getTime()
  const feedback = () => ({ email: { projectId, emailId: email.id }, at: world.clock.now(), recipients: [email.toAddress] })
  if (email.toAddress === goneAddress) {
    const reason = `550 5.1.1 <${goneAddress}>: Recipient address rejected: User unknown`
    timeline.at(now + 4 * secondMs, async () => void (await recordBounce(world, { ...feedback(), reason })))
    return
  }
  timeline.at(now + 3 * secondMs + chance() * 5 * secondMs, async () => void (await recordDelivered(world, feedback())))
  engage(story, email, now)
}

// Of a hundred emails 62 are opened by people, and 26 clicked; 16 are fetched by Apple Mail, and 8 checked by a program.
function engage({ ctx, timeline, chance, end }: Story, { id, contactId, source }: SentEmail, now: number): void {
  const { world, projectId } = ctx
  const engaged = (link: string | null, userAgent: string) => () => recordEngaged(world, { projectId, id, link, userAgent })
  const dice = chance()
  const userAgent = chance() < 0.5 ? phone : desktop
  const [link, other] = source === 'TRANSACTIONAL' ? demoLinks.toReversed() : demoLinks
  if (dice > 0.92) timeline.at(now + 40 * secondMs, engaged(link ?? null, scanner))
  if (dice > 0.84) timeline.at(now + minuteMs, engaged(null, appleMail))
  if (dice > 0.62) return
  // Most people read on the first day, in the hours after it came.
  const opened = Math.min(now + 3 * minuteMs + chance() ** 3 * 30 * hourMs, end - minuteMs)
  timeline.at(opened, engaged(null, userAgent))
  if (dice < 0.26) timeline.at(opened + 25 * secondMs, engaged(link ?? null, userAgent))
  if (source !== 'CAMPAIGN') return
  if (dice < 0.08) timeline.at(opened + 2 * minuteMs, engaged(other ?? null, userAgent))
  if (dice > 0.59) timeline.at(opened + minuteMs, async () => void (await updateContact(ctx, { id: contactId, subscribed: false })))
}
