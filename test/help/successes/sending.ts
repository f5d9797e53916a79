import { png } from '../pictures.ts'
import { ada, contact, type Given, plain, type Success, type Successes } from './given.ts'

const from = 'news@demo.test'
const mail = { to: ada.email, from, subject: 'Hello', body: '<p>Hello</p>' }
const sent = async ({ make }: Given): Promise<Success> => ({ params: { id: (await make('POST /v1/send', mail)).data.emails[0].email } })

const draft = { name: 'Welcome', subject: 'Hello', body: '<p>Hello</p>', from }
const template = async ({ make }: Given): Promise<Success> => ({ params: { id: (await make('POST /templates', draft)).id } })

const news = { ...draft, audienceType: 'ALL' }
const campaign = async ({ make }: Given) => ({ params: { id: (await make('POST /campaigns', news)).data.id as string } })
const sending = async (given: Given) => {
  await contact(given)
  const made = await campaign(given)
  await given.make(`POST /campaigns/${made.params.id}/send`, {})
  return made
}

const domain = async ({ make }: Given): Promise<Success> => ({ params: { id: (await make('POST /domains', { domain: 'acme.test' })).id } })

const workflow = async ({ make }: Given) => ({ params: { id: (await make('POST /workflows', { name: 'Onboarding' })).id as string } })
const wait = { type: 'DELAY', config: { amount: 1, unit: 'days' } }
const steps = async (given: Given) => {
  const { params } = await workflow(given)
  const [first, last] = [
    await given.make(`POST /workflows/${params.id}/steps`, wait),
    await given.make(`POST /workflows/${params.id}/steps`, { type: 'EXIT' }),
  ]
  return { params: { ...params, stepId: first.id as string }, body: { fromStepId: first.id, toStepId: last.id } }
}
const transition = async (given: Given) => {
  const { params, body } = await steps(given)
  const { id } = await given.make(`POST /workflows/${params.id}/transitions`, body)
  return { params: { ...params, transitionId: id as string }, body }
}
const enabled = async (given: Given) => {
  const { params } = await transition(given)
  await given.make(`PATCH /workflows/${params.id}`, { eventName: 'signed-up', triggerConfig: { eventName: 'signed-up' }, enabled: true })
  return { params, body: { contactId: (await contact(given)).params.id } }
}
const execution = async (given: Given): Promise<Success> => {
  const { params, body } = await enabled(given)
  const { id } = await given.make(`POST /workflows/${params.id}/executions`, body)
  return { params: { ...params, executionId: id } }
}

const picture = (): FormData => {
  const form = new FormData()
  form.append('image', new Blob([new Uint8Array(png())], { type: 'image/png' }), 'logo.png')
  return form
}

/** The calls about emails, templates, campaigns, workflows, domains, uploads and what is counted of them. */
export const sends: Successes = {
  'POST /v1/send 200': () => ({ body: mail }),
  'POST /v1/verify 200': () => ({ body: { email: ada.email } }),
  'GET /emails 200': sent,
  'GET /emails/:id 200': sent,
  'GET /emails/:id/source 200': sent,
  'POST /emails/:id/cancel 200': sent,
  'GET /templates 200': template,
  'POST /templates 201': () => ({ body: draft }),
  'GET /templates/:id 200': template,
  'PATCH /templates/:id 200': async (given) => ({ ...(await template(given)), body: { name: 'Goodbye' } }),
  'DELETE /templates/:id 204': template,
  'POST /templates/:id/duplicate 201': template,
  'POST /templates/:id/preview 200': template,
  'GET /templates/:id/usage 200': template,
  'GET /campaigns 200': campaign,
  'POST /campaigns 201': () => ({ body: news }),
  'GET /campaigns/:id 200': campaign,
  'PUT /campaigns/:id 200': async (given) => ({ ...(await campaign(given)), body: { ...news, name: 'Other news' } }),
  'DELETE /campaigns/:id 204': campaign,
  'GET /campaigns/:id/audience 200': campaign,
  'POST /campaigns/:id/duplicate 201': async (given) => ({
    ...(await campaign(given)),
    body: { templateId: (await template(given)).params?.id },
  }),
  'POST /campaigns/:id/test 200': async (given) => ({ ...(await campaign(given)), body: { email: ada.email } }),
  'POST /campaigns/:id/send 200': async (given) => ({ ...(await campaign(given)), body: { scheduledFor: null } }),
  'POST /campaigns/:id/pause 200': sending,
  'POST /campaigns/:id/resume 200': async (given) => {
    const made = await sending(given)
    await given.make(`POST /campaigns/${made.params.id}/pause`)
    return made
  },
  'POST /campaigns/:id/cancel 200': sending,
  'GET /campaigns/:id/recipients 200': sending,
  'GET /campaigns/:id/stats 200': sending,
  'GET /workflows 200': workflow,
  'GET /workflows/fields 200': contact,
  'POST /workflows 201': () => ({ body: { name: 'Onboarding' } }),
  'GET /workflows/:id 200': workflow,
  'PATCH /workflows/:id 200': async (given) => ({ ...(await workflow(given)), body: { name: 'Farewell' } }),
  'DELETE /workflows/:id 204': workflow,
  'POST /workflows/:id/duplicate 201': workflow,
  'POST /workflows/:id/steps 201': async (given) => ({ ...(await workflow(given)), body: wait }),
  'PATCH /workflows/:id/steps/:stepId 200': async (given) => ({ ...(await steps(given)), body: { name: 'Wait' } }),
  'DELETE /workflows/:id/steps/:stepId 204': async (given) => ({ params: (await steps(given)).params }),
  'POST /workflows/:id/transitions 201': steps,
  'POST /workflows/:id/transitions 200': transition,
  'DELETE /workflows/:id/transitions/:transitionId 204': async (given) => ({ params: (await transition(given)).params }),
  'POST /workflows/:id/executions 201': enabled,
  'GET /workflows/:id/executions 200': execution,
  'GET /workflows/:id/executions/:executionId 200': execution,
  'DELETE /workflows/:id/executions/:executionId 200': execution,
  'POST /workflows/:id/executions/cancel-all 200': execution,
  'POST /domains 201': () => ({ body: { domain: 'acme.test' } }),
  'PATCH /domains/:id 200': async (given) => ({ ...(await domain(given)), body: { warmUp: true } }),
  'DELETE /domains/:id 204': domain,
  'GET /domains/:id/verify 200': domain,
  'GET /domains/project/:projectId 200': plain,
  'POST /uploads/image 201': () => ({ body: picture() }),
  'GET /activity 200': sent,
  'GET /activity/recent-count 200': sent,
  'GET /activity/stats 200': sent,
  'GET /activity/types 200': sent,
  'GET /activity/upcoming 200': sent,
  'GET /analytics/campaign-stats 200': sending,
  'GET /analytics/timeseries 200': sent,
  'GET /analytics/top-campaigns 200': sending,
  'GET /analytics/top-events 200': sent,
  'POST /webhooks/sns 200': ({ sns, world }) => ({ body: sns.body(world.clock), as: { headers: { 'content-type': 'text/plain' } } }),
  'POST /webhooks/incoming/stripe 200': ({ stripe, world }) => {
    const event = { id: 'evt_1', type: 'invoice.created', object: { id: 'in_1' } }
    const { body, signature } = stripe.webhook(event, { at: world.clock.now() })
    return { body, as: { headers: { 'stripe-signature': signature } } }
  },
}
