import { CpuBudget, TemplateFailure } from '../../../kit/liquid.ts'
import { createThreads, TaskKilled } from '../../../kit/threads.ts'
import { perWorld, type World } from '../../../kit/world.ts'
import { renderLimits, whyKilled } from '../../emails/message/limits.ts'
import { contactLinks } from '../../emails/subscription/links.ts'
import type { WebhookConfig } from '../steps/webhook.ts'
import { type BodyDraft, hasLiquid, type RequestDraft, renderRequest } from './render.ts'
import type { LoadedCall } from './sql.ts'
import type { RequestAnswer, RequestTask } from './thread.ts'

/**
 * The request of a webhook for one execution, or why there is none, as a sentence. Liquid runs in another thread, within the budget of
 * an email. Throws TaskDropped when the world closes.
 */
export async function buildRequest(world: World, config: WebhookConfig, call: LoadedCall): Promise<RequestAnswer> {
  const draft = draftOf(config, call)
  const budgetMs = world.config.RENDER_BUDGET_MS
  if (!hasLiquid(draft)) return withoutLiquid(draft, budgetMs)
  const task = { draft, scope: scopeOf(world, call), budgetMs }
  try {
    return await threadsOf(world).run(() => task, { urgent: false, owner: '', isHeavy: () => true })
  } catch (error) {
    if (error instanceof TaskKilled) return { kind: 'failed', reason: whyKilled(error.exceeded, budgetMs) }
    throw error
  }
}

function withoutLiquid(draft: RequestDraft, budgetMs: number): RequestAnswer {
  try {
    return { kind: 'rendered', request: renderRequest(draft, {}, new CpuBudget(budgetMs)) }
  } catch (error) {
    if (error instanceof TemplateFailure) return { kind: 'failed', reason: error.message }
    throw error
  }
}

function draftOf({ url = '', method = 'POST', headers = {}, body }: WebhookConfig, call: LoadedCall): RequestDraft {
  const given = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  const type = given['content-type'] ?? 'application/json'
  const draft = method === 'GET' ? ({ kind: 'none' } as const) : bodyOf(body, type, call)
  const defaults = { 'user-agent': 'Postwire', ...(draft.kind !== 'none' && { 'content-type': type }) }
  return { url, method, headers: { ...defaults, ...given }, body: draft }
}

// A text is sent as it is where the headers of the step say that it is not JSON.
function bodyOf(body: unknown, type: string, call: LoadedCall): BodyDraft {
  if (body === undefined || body === null || body === '') return { kind: 'ready', text: JSON.stringify(defaultBody(call)) }
  if (typeof body !== 'string' || /json/i.test(type)) return { kind: 'json', value: body }
  return { kind: 'text', source: body, format: /x-www-form-urlencoded/i.test(type) ? 'url' : 'text' }
}

function defaultBody({ email, subscribed, data, workflowId, workflowName, id, startedAt, context }: LoadedCall): object {
  return {
    contact: { email, subscribed, data },
    workflow: { id: workflowId, name: workflowName },
    execution: { id, startedAt },
    event: context ?? {},
  }
}

// As templates of emails have it.
function scopeOf(world: World, { projectId, contactId, email, subscribed, data, language, context }: LoadedCall): Record<string, unknown> {
  const event = context ?? {}
  const all: Record<string, unknown> = { ...data, ...event, event }
  return {
    ...all,
    data: all,
    id: contactId,
    plunk_id: contactId,
    email,
    plunk_email: email,
    subscribed,
    locale: all.locale ?? language,
    ...contactLinks(world, { projectId, contactId, emailId: null }),
  }
}

// Threads of their own, so that no email waits for webhooks.
const threadsOf = perWorld((world) => {
  const threads = createThreads<RequestTask, RequestAnswer>({
    file: new URL('./thread.ts', import.meta.url),
    name: 'renderRequests',
    data: {},
    foreground: false,
    ...renderLimits(world.config.RENDER_BUDGET_MS),
    closing: world.closing,
  })
  world.atClose(() => threads.close())
  return threads
})
