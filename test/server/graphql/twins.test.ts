import { resolveSchemaCoordinate } from 'graphql'
import { expect, test } from 'vitest'
import { accessOf } from '../../../src/kit/field-access.ts'
import { schema } from '../../../src/server/graphql/schema.ts'
import { routes } from '../../../src/server/routes.ts'

// Whatever REST can do, GraphQL can: by a root field with the name of the operation, or by what is listed here.
const twins: Record<string, string> = {
  'GET /emails': 'Query.emails',
  'GET /emails/:id': 'Query.email',
  'POST /emails/:id/cancel': 'Mutation.cancelEmail',
  'GET /emails/:id/source': 'Email.message',
  'POST /templates/:id/preview': 'Query.previewEmail',
  'GET /contacts': 'Query.contacts',
  'POST /contacts/lookup': 'Query.contactLookup',
  'GET /contacts/:id': 'Query.contact',
  'POST /events/track': 'Mutation.trackEvent',
  'GET /contacts/import/:jobId': 'Job.importResult',
  'DELETE /contacts/import/:jobId': 'Mutation.cancelJob',
  'GET /contacts/bulk/:jobId': 'Job.bulkResult',
  'DELETE /contacts/bulk/:jobId': 'Mutation.cancelJob',
  'GET /contacts/fields': 'Query.contactFields',
  'GET /contacts/fields/:field/values': 'Query.contactFieldValues',
  'GET /contacts/fields/:field/usage': 'ContactField.usage',
  'DELETE /contacts/fields/:field': 'Mutation.deleteContactField',
  'GET /suppressions': 'Query.suppressions',
  'GET /segments': 'Query.segments',
  'GET /segments/:id': 'Query.segment',
  'GET /segments/:id/contacts': 'Segment.contacts',
  'GET /segments/:id/contacts/:contactId/explanation': 'Segment.explanation',
  'GET /templates': 'Query.templates',
  'GET /templates/:id': 'Query.template',
  'GET /templates/:id/usage': 'Template.usage',
  'GET /campaigns': 'Query.campaigns',
  'GET /campaigns/:id': 'Query.campaign',
  'PUT /campaigns/:id': 'Mutation.updateCampaign',
  'GET /campaigns/:id/stats': 'Campaign.stats',
  'GET /campaigns/:id/audience': 'Campaign.audiencePreview',
  'GET /campaigns/:id/recipients': 'Campaign.recipients',
  'GET /workflows': 'Query.workflows',
  'GET /workflows/fields': 'Query.workflowFields',
  'GET /workflows/:id': 'Query.workflow',
  'GET /workflows/:id/executions': 'Workflow.executions',
  'GET /workflows/:id/executions/:executionId': 'Query.workflowExecution',
  'GET /events': 'Query.events',
  'GET /events/stats': 'Query.eventCounts',
  'GET /events/names': 'Query.eventNames',
  'GET /events/contact/:contactId': 'Contact.events',
  'GET /events/:eventName/usage': 'Query.eventUsage',
  'GET /domains/project/:projectId': 'Query.domains',
  'GET /activity': 'Query.activity',
  'GET /activity/types': 'Query.activityTypes',
  'GET /activity/recent-count': 'Query.recentActivityCount',
  'GET /activity/stats': 'Query.activityStats',
  'GET /activity/upcoming': 'Query.upcomingActivity',
  'GET /analytics/timeseries': 'Query.timeseries',
  'GET /analytics/top-campaigns': 'Query.topCampaigns',
  'GET /analytics/campaign-stats': 'Query.campaignSummary',
  'GET /analytics/top-events': 'Query.topEvents',
  'GET /config': 'Query.config',
  'GET /auth/oauth-config': 'Configuration.oauthProviders',
  'GET /auth/invitations/:token': 'Query.invitation',
  'GET /users/@me': 'Query.viewer',
  'GET /users/@me/projects': 'User.projects',
  'GET /users/@me/projects/:id': 'Query.project',
  'GET /users/@me/sessions': 'User.sessions',
  'GET /users/@me/invitations': 'User.invitations',
  'GET /users/@me/projects/:id/billing-limits': 'Project.billingLimits',
  'GET /users/@me/projects/:id/billing-consumption': 'Project.billingConsumption',
  'GET /users/@me/projects/:id/billing-invoices': 'Project.invoices',
  'GET /users/@me/projects/:id/security': 'Project.security',
  'GET /projects/:id/security': 'Project.security',
  'GET /projects/:id/setup-state': 'Project.setupState',
  'GET /projects/:id/members': 'Project.members',
}

/** Routes without a twin, with the reason for each. */
const without: Record<string, string> = {
  'GET /contacts/export': 'streams a file',
  'GET /contacts/:id/export': 'a file with everything about a person, whatever the cost',
  'POST /webhooks/sns': 'called by another service',
  'POST /webhooks/incoming/stripe': 'called by another service',
  'GET /healthz': 'for load balancers',
  'GET /readyz': 'for load balancers',
}

const isRoot = (name: string): boolean => ['Query', 'Mutation'].some((type) => resolveSchemaCoordinate(schema, `${type}.${name}`))
const nameless = routes.filter(({ name }) => !isRoot(name)).map(({ method, path }) => `${method} ${path}`)

test('every route has a twin in GraphQL: a root field with the name of its operation, or a field that is listed above, or a reason', () => {
  expect(nameless.filter((route) => !(route in twins) && !(route in without))).toEqual([])
})

test('every twin that is listed above is in the schema, and every line is still needed', () => {
  expect(Object.values(twins).filter((coordinate) => !resolveSchemaCoordinate(schema, coordinate))).toEqual([])
  expect([...Object.keys(twins), ...Object.keys(without)].filter((route) => !nameless.includes(route))).toEqual([])
})

test('a mutation allows who its route allows, and no one else, also in a suspended project and with an unverified address', () => {
  const rules = routes.flatMap(({ method, path, name, access, notes }) => {
    const field = isRoot(name) ? schema.getMutationType()?.getFields()[name] : undefined
    if (!field) return []
    const { who, whileSuspended, whileUnverified } = accessOf(field) ?? {}
    const ofRoute = { who: access, whileSuspended: notes.whileSuspended ?? false, whileUnverified: notes.whileUnverified ?? false }
    return [
      {
        at: `${method} ${path}`,
        ofRoute,
        ofField: { who, whileSuspended: whileSuspended ?? false, whileUnverified: whileUnverified ?? false },
      },
    ]
  })
  expect(rules.length).toBeGreaterThan(60)
  const different = rules.filter(({ ofRoute, ofField }) => JSON.stringify(ofRoute) !== JSON.stringify(ofField))
  // The public key may call nothing of GraphQL.
  expect(different.map(({ at, ofRoute, ofField }) => [at, ofRoute.who, ofField.who])).toEqual([['POST /v1/track', 'public', 'secret']])
})
