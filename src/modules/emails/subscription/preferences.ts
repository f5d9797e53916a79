import type { Ctx } from '../../../kit/context.ts'
import { Failure } from '../../../kit/errors.ts'
import { lowestId } from '../../../kit/ids.ts'
import { untilOlderEnd } from '../../../kit/postgres/older.ts'
import { changeSubscription } from '../../contacts/contacts.ts'
import { untilWithheld } from '../../suppressions/leaving.ts'
import { isOptedOutAddress, keepOptOuts } from '../../suppressions/opt-outs.ts'
import { type LinkSubject, readContactToken } from './links.ts'
import { countSubscribed, type SubscriptionView, selectView } from './sql.ts'

/** The three subscription pages. */
export type SubscriptionPage = 'unsubscribe' | 'subscribe' | 'manage'

/** The form of a subscription page, or the request of a mail program (RFC 8058). */
export interface PreferencesForm {
  page: SubscriptionPage
  token: string
  subscribed?: string | undefined
  /** The field `List-Unsubscribe` of a mail program. */
  listUnsubscribe?: string | undefined
}

/** What a form did to a subscription. */
export type PreferencesOutcome =
  | { kind: 'unknown' }
  | { kind: 'one-click' }
  | { kind: 'unchanged'; contact: SubscriptionView }
  | { kind: 'changed'; contact: SubscriptionView }

/** The address that a subscription link was sent to, or null when the link is forged or its project was deleted. */
export async function findPreferences(ctx: Ctx, { token }: { token: string }): Promise<SubscriptionView | null> {
  const subject = readContactToken(ctx, token)
  return subject && findView(ctx, subject)
}

/**
 * Changes a subscription by the button of its page (source `page`), or by the one-click request of a mail program (source
 * `one_click`, RFC 8058). Repeating it changes and logs nothing. That the person of a contact that was never subscribed wants no emails is recorded,
 * and not logged. It is the subscription of the address that was sent the email: when its contact has another one by now, that contact
 * stays as it is. When its contact was deleted, another one that has the address by now is unsubscribed, and one
 * that takes it later has opted out. To unsubscribe is always possible, and no marketing is handed to a mail server after the answer; a contact that was subscribed 20 times within a day stays as it is, because each change
 * is a line of the log.
 */
export async function changePreferences(ctx: Ctx, form: PreferencesForm): Promise<PreferencesOutcome> {
  const subject = readContactToken(ctx, form.token)
  if (!subject) return { kind: 'unknown' }
  const view = await findView(ctx, subject)
  if (!view) return { kind: 'unknown' }
  const oneClick = isOneClick(form)
  const subscribed = oneClick ? false : wantedBy(form)
  if (subscribed === undefined) return { kind: 'unchanged', contact: view }
  if (subscribed && !view.subscribed && (await hasChangedOften(ctx, subject.projectId, view))) return { kind: 'unchanged', contact: view }
  const source = oneClick ? 'one_click' : 'page'
  await subscribe(ctx, subject, { view, subscribed, source })
  if (!subscribed) await untilWithheld({ db: ctx.db, projectId: subject.projectId }, [view.email])
  if (oneClick) return { kind: 'one-click' }
  const changed = await findView(ctx, subject)
  return changed ? { kind: 'changed', contact: changed } : { kind: 'unknown' }
}

async function subscribe(
  ctx: Ctx,
  subject: LinkSubject,
  { view, subscribed, source }: { view: SubscriptionView; subscribed: boolean; source: 'one_click' | 'page' },
): Promise<void> {
  const { projectId, contactId, emailId } = subject
  const call = { ...ctx, projectId }
  // The contact that has the address may have been deleted, or given another one, since that was looked up.
  const isChanged = async ({ contactId: id, email }: SubscriptionView): Promise<boolean> => {
    const change = { subscribed, source, ...(emailId && { emailId }) }
    return id !== null && (await changeSubscription(call, { id, ifAddress: email, ...change }))?.email === email
  }
  if (view.contactId === contactId && (await isChanged(view))) return
  for (let times = 0; times < maxTimes; times++) {
    await keepOptOuts(ctx.db, call, [{ email: view.email, subscribed, optedOut: !subscribed }])
    // A contact that takes the address from now on has opted out by that; one that is taking it may not know it. Not for longer than 2 s:
    // what writes a contact takes milliseconds.
    await untilOlderEnd(ctx.db, maxOlderMs)
    const holder = await findView(ctx, subject)
    if (!holder?.contactId || (await isChanged(holder))) return
  }
  throw new Failure('SERVICE_UNAVAILABLE', 'The contact that has the address changed again and again.')
}

const maxTimes = 5
const maxOlderMs = 2_000
const maxSubscribed = 20
const dayMs = 86_400_000

async function hasChangedOften({ db, clock }: Ctx, projectId: string, { contactId }: SubscriptionView): Promise<boolean> {
  if (contactId === null) return false
  const since = lowestId('event', new Date(clock.now().getTime() - dayMs))
  const [found] = await db.run(countSubscribed, [projectId, contactId, since, maxSubscribed])
  return (found?.count ?? 0) >= maxSubscribed
}

// The body may be URL-encoded or multipart (RFC 8058, 3.2).
function isOneClick({ page, listUnsubscribe }: PreferencesForm): boolean {
  return page === 'unsubscribe' && listUnsubscribe?.trim() === 'One-Click'
}

// The page for both directions says nothing by itself: without a button it changes nothing.
function wantedBy({ page, subscribed }: PreferencesForm): boolean | undefined {
  if (subscribed !== undefined) return subscribed === 'true'
  return page === 'manage' ? undefined : page === 'subscribe'
}

async function findView(ctx: Ctx, { projectId, contactId, emailId, address }: LinkSubject): Promise<SubscriptionView | null> {
  const [view] = await ctx.db.run(selectView, [projectId, contactId, emailId, address ?? null])
  if (!view || view.contactId !== null) return view ?? null
  const optedOut = await isOptedOutAddress(ctx.world, projectId, view.email)
  return { ...view, optedOut, subscribed: !optedOut }
}
