import type { Ctx } from '../../../kit/context.ts'
import { changeSubscription } from '../../contacts/contacts.ts'
import { type LinkSubject, readContactToken } from './links.ts'
import { type SubscriptionView, selectView } from './sql.ts'

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

/** The contact of a subscription link, or null when the link is forged or the contact was deleted. */
export async function findPreferences(ctx: Ctx, { token }: { token: string }): Promise<SubscriptionView | null> {
  const subject = readContactToken(ctx, token)
  return subject && findView(ctx, subject)
}

/**
 * Changes a subscription by the button of its page (source `page`), or by the one-click request of a mail program (source
 * `one_click`, RFC 8058). Repeating it changes and logs nothing. That the person of a contact that was never subscribed wants no emails is recorded,
 * and not logged.
 */
export async function changePreferences(ctx: Ctx, form: PreferencesForm): Promise<PreferencesOutcome> {
  const subject = readContactToken(ctx, form.token)
  if (!subject) return { kind: 'unknown' }
  const { contactId: id, emailId } = subject
  const oneClick = isOneClick(form)
  const subscribed = oneClick ? false : wantedBy(form)
  if (subscribed === undefined) return outcomeOf('unchanged', await findView(ctx, subject))
  const source = oneClick ? 'one_click' : 'page'
  await changeSubscription({ ...ctx, projectId: subject.projectId }, { id, subscribed, source, ...(emailId && { emailId }) })
  if (oneClick) return { kind: 'one-click' }
  return outcomeOf('changed', await findView(ctx, subject))
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

function outcomeOf(kind: 'unchanged' | 'changed', contact: SubscriptionView | null): PreferencesOutcome {
  return contact ? { kind, contact } : { kind: 'unknown' }
}

async function findView({ db }: Ctx, { projectId, contactId }: LinkSubject): Promise<SubscriptionView | null> {
  const [view] = await db.run(selectView, [projectId, contactId])
  return view ?? null
}
