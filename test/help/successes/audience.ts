import { ada, contact, type Given, plain, type Success, type Successes } from './given.ts'

const bulk = async (given: Given): Promise<Success> => ({ body: { contactIds: [(await contact(given)).params.id] } })
const bulkJob = async (given: Given): Promise<Success> => {
  const { jobId } = await given.make('POST /contacts/bulk-delete', (await bulk(given)).body)
  return { params: { jobId } }
}

const field = async (given: Given): Promise<Success> => {
  await contact(given)
  return { params: { field: 'plan' } }
}

const file = (): FormData => {
  const form = new FormData()
  form.append('file', new Blob(['email,plan\nada@example.com,pro\n'], { type: 'text/csv' }), 'contacts.csv')
  return form
}
const importJob = async ({ make }: Given): Promise<Success> => ({ params: { jobId: (await make('POST /contacts/import', file())).jobId } })

const pro = { field: 'data.plan', operator: 'equals', value: 'pro' }
const tracked = async ({ make }: Given) => {
  const { id } = await make('POST /segments', { name: 'Pro', condition: pro, trackMembership: true })
  return { params: { id: id as string } }
}
const listed = async (given: Given): Promise<Success> => {
  await contact(given)
  const { id } = await given.make('POST /segments', { name: 'Chosen', type: 'STATIC' })
  return { params: { id }, body: { emails: [ada.email] } }
}

const signedUp = { email: ada.email, event: 'signed-up' }
const happened = async ({ make }: Given): Promise<Success> => {
  const { data } = await make('POST /v1/track', signedUp)
  return { params: { eventName: signedUp.event, contactId: data.contact } }
}

/** The calls about contacts, suppressions, segments and events. */
export const audience: Successes = {
  'GET /contacts 200': plain,
  'POST /contacts 201': () => ({ body: ada }),
  'POST /contacts 200': async (given) => {
    await contact(given)
    return { body: ada }
  },
  'GET /contacts/:id 200': contact,
  'PATCH /contacts/:id 200': async (given) => ({ ...(await contact(given)), body: { subscribed: false } }),
  'DELETE /contacts/:id 204': contact,
  'GET /contacts/:id/export 200': contact,
  'POST /contacts/lookup 200': () => ({ body: { emails: [ada.email] } }),
  'GET /contacts/export 200': contact,
  'POST /contacts/bulk-subscribe 202': bulk,
  'POST /contacts/bulk-unsubscribe 202': bulk,
  'POST /contacts/bulk-delete 202': bulk,
  'GET /contacts/bulk/:jobId 200': bulkJob,
  'DELETE /contacts/bulk/:jobId 200': bulkJob,
  'POST /contacts/import 202': () => ({ body: file() }),
  'POST /contacts/import 200': () => ({ query: 'dryRun=true', body: file() }),
  'GET /contacts/import/:jobId 200': importJob,
  'DELETE /contacts/import/:jobId 200': importJob,
  'GET /contacts/fields 200': field,
  'GET /contacts/fields/:field/values 200': field,
  'GET /contacts/fields/:field/usage 200': field,
  'DELETE /contacts/fields/:field 200': field,
  'GET /suppressions 200': plain,
  'POST /suppressions 200': () => ({ body: { emails: [ada.email] } }),
  'DELETE /suppressions/:email 204': async ({ make }) => {
    await make('POST /suppressions', { emails: [ada.email] })
    return { params: { email: ada.email } }
  },
  'GET /segments 200': tracked,
  'POST /segments 201': () => ({ body: { name: 'Pro', condition: pro } }),
  'GET /segments/:id 200': tracked,
  'PATCH /segments/:id 200': async (given) => ({ ...(await tracked(given)), body: { name: 'Paying' } }),
  'DELETE /segments/:id 204': tracked,
  'GET /segments/:id/contacts 200': tracked,
  'POST /segments/:id/compute 200': tracked,
  'POST /segments/:id/refresh 200': tracked,
  'POST /segments/:id/members 200': listed,
  'DELETE /segments/:id/members 200': async (given) => {
    const { params, body } = await listed(given)
    await given.make(`POST /segments/${params?.id}/members`, body)
    return { ...(params && { params }), body }
  },
  'GET /segments/:id/contacts/:contactId/explanation 200': async (given) => {
    const { params } = await contact(given)
    return { params: { ...(await tracked(given)).params, contactId: params.id } }
  },
  'POST /v1/track 200': () => ({ body: signedUp }),
  'POST /events/track 200': () => ({ body: signedUp }),
  'POST /events/track 201': () => ({ body: { name: signedUp.event } }),
  'GET /events 200': happened,
  'GET /events/names 200': happened,
  'GET /events/stats 200': happened,
  'GET /events/contact/:contactId 200': happened,
  'GET /events/:eventName/usage 200': happened,
  'DELETE /events/:eventName 200': happened,
}
