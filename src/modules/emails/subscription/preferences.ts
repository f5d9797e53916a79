import type { Ctx } from '../../../kit/context.ts'
import type { PageAnswer, PageRequest } from '../../../kit/html/page.ts'
import { changeSubscription } from '../../contacts/contacts.ts'
import { type LinkSubject, readContactToken } from './links.ts'
import { selectView } from './sql.ts'
import { confirmPage, oneClickAnswer, resultPage, type SubscriptionPage, type SubscriptionView, unknownLinkPage } from './views.ts'

/** Shows a subscription page of a contact; changes nothing. */
export async function showPreferences(ctx: Ctx, page: SubscriptionPage, { params }: PageRequest): Promise<PageAnswer> {
  const subject = readContactToken(ctx, params.token ?? '')
  const view = subject && (await findView(ctx, subject))
  return view ? confirmPage(page, view) : unknownLinkPage()
}

/**
 * Changes a subscription by the button of its page (source `page`), or by the one-click request of a mail program (source
 * `one_click`, RFC 8058). Repeating it changes and logs nothing.
 */
export async function changePreferences(ctx: Ctx, page: SubscriptionPage, request: PageRequest): Promise<PageAnswer> {
  const { params, body } = request
  const subject = readContactToken(ctx, params.token ?? '')
  if (!subject) return unknownLinkPage()
  const oneClick = page === 'unsubscribe' && isOneClick(body)
  if (page === 'manage' && body.subscribed === undefined) return showPreferences(ctx, page, request)
  const subscribed = body.subscribed === undefined ? page === 'subscribe' : body.subscribed === 'true'
  const { contactId: id, emailId } = subject
  const source = oneClick ? 'one_click' : 'page'
  const inProject = { ...ctx, projectId: subject.projectId }
  await changeSubscription(inProject, { id, subscribed: oneClick ? false : subscribed, source, ...(emailId && { emailId }) })
  if (oneClick) return oneClickAnswer()
  const view = await findView(ctx, subject)
  return view ? resultPage(view) : unknownLinkPage()
}

// The body may be URL-encoded or multipart (RFC 8058, 3.2).
function isOneClick(body: Record<string, string>): boolean {
  return body['List-Unsubscribe']?.trim() === 'One-Click'
}

async function findView({ db }: Ctx, { projectId, contactId }: LinkSubject): Promise<SubscriptionView | null> {
  const [view] = await db.run(selectView, [projectId, contactId])
  return view ?? null
}
