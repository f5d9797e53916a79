import type { Ctx } from '../../../kit/context.ts'
import type { PageAnswer, PageRequest } from '../../../kit/html/page.ts'
import { changeSubscription } from '../../contacts/contacts.ts'
import { type LinkHolder, readContactToken } from './links.ts'
import { selectView } from './sql.ts'
import { askPage, donePage, oneClickAnswer, type SubscriptionPage, type SubscriptionView, unknownLinkPage } from './views.ts'

/** Shows a page of a contact; changes nothing. */
export async function showPreferences(ctx: Ctx, page: SubscriptionPage, { params }: PageRequest): Promise<PageAnswer> {
  const holder = readContactToken(ctx, params.token ?? '')
  const view = holder && (await findView(ctx, holder))
  return view ? askPage(page, view) : unknownLinkPage()
}

/**
 * Acts on a page of a contact: by its button, or by a mail program's one-click request (RFC 8058). Source `page` or
 * `one_click`; saying the same twice changes and logs nothing.
 */
export async function changePreferences(ctx: Ctx, page: SubscriptionPage, request: PageRequest): Promise<PageAnswer> {
  const { params, body } = request
  const holder = readContactToken(ctx, params.token ?? '')
  if (!holder) return unknownLinkPage()
  const oneClick = page === 'unsubscribe' && isOneClick(body)
  if (page === 'manage' && body.subscribed === undefined) return showPreferences(ctx, page, request)
  const subscribed = body.subscribed === undefined ? page === 'subscribe' : body.subscribed === 'true'
  const { contactId: id, emailId } = holder
  const source = oneClick ? 'one_click' : 'page'
  const inProject = { ...ctx, projectId: holder.projectId }
  await changeSubscription(inProject, { id, subscribed: oneClick ? false : subscribed, source, ...(emailId && { emailId }) })
  if (oneClick) return oneClickAnswer()
  const view = await findView(ctx, holder)
  return view ? donePage(view) : unknownLinkPage()
}

// As a form or as multipart: RFC 8058 (3.2) allows both.
function isOneClick(body: Record<string, string>): boolean {
  return body['List-Unsubscribe']?.trim() === 'One-Click'
}

async function findView({ db }: Ctx, { projectId, contactId }: LinkHolder): Promise<SubscriptionView | null> {
  const [view] = await db.run(selectView, [projectId, contactId])
  return view ?? null
}
