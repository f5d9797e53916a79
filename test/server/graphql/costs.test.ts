import { isInterfaceType, isObjectType } from 'graphql'
import { expect, test } from 'vitest'
import { schema } from '../../../src/server/graphql/schema.ts'

// Fields whose operations wait for something outside or for a turn of their own, such as DNS, a mail server, a thread or storage: they
// hold no turn of large operations meanwhile. A field that is added has to be put in its place here.
const waiting: Record<string, number | undefined> = {
  'Campaign.audiencePreview': 100,
  'Email.message': 100,
  'Mutation.acceptInvitation': 50,
  'Mutation.addSegmentMembers': undefined,
  'Mutation.changePassword': 50,
  'Mutation.computeSegment': 100,
  'Mutation.createCampaign': undefined,
  'Mutation.createCheckout': 100,
  'Mutation.createDomain': undefined,
  'Mutation.createTemplate': undefined,
  'Mutation.deleteAccount': 50,
  'Mutation.deleteContactField': 100,
  'Mutation.deleteUpload': undefined,
  'Mutation.importSuppressions': 500,
  'Mutation.logIn': 50,
  'Mutation.openBillingPortal': 100,
  'Mutation.removeSegmentMembers': undefined,
  'Mutation.resetPassword': 50,
  'Mutation.resetProject': 100,
  'Mutation.sendCampaignTest': 50,
  'Mutation.sendEmail': undefined,
  'Mutation.sendTemplateTest': 50,
  'Mutation.signUp': 50,
  'Mutation.updateCampaign': undefined,
  'Mutation.updateTemplate': undefined,
  'Mutation.uploadImage': 100,
  'Mutation.verifyDomain': 50,
  'Mutation.verifyEmail': 50,
  'Project.billingConsumption': 100,
  'Project.invoices': 100,
  'Query.audiencePreview': 100,
  'Query.checkEmail': 20,
  'Query.checkImport': 2_000,
  'Query.previewEmail': 100,
}

// Fields that read or compare much more than what they answer, such as every contact of the project.
const scanning: Record<string, number> = {
  'Mutation.importContacts': 100,
  'Mutation.refreshSegment': 100,
  'Project.billingLimits': 5,
  'Query.activityStats': 20,
  'Query.campaignSummary': 20,
  'Query.conditionExplanation': 20,
  'Query.contactFieldValues': 50,
  'Segment.contacts': 100,
}

// All other root fields: they read what they answer, or change a bounded number of rows, in statements on Postgres.
const plain = {
  Query:
    'activity activityCursor activityTypes campaign campaigns config contact contactFields contactLookup contacts domain domains email emailTotals emails eventCounts eventNames eventUsage events invitation job jobs node nodes project recentActivityCount segment segments suppression suppressions template templates timeseries topCampaigns topEvents upcomingActivity uploads viewer workflow workflowExecution workflowFields workflows',
  Mutation:
    'bulkDeleteContacts bulkSubscribeContacts bulkUnsubscribeContacts cancelCampaign cancelEmail cancelJob cancelWorkflowExecution cancelWorkflowExecutions createProject createSegment createWorkflow createWorkflowStep createWorkflowTransition deleteCampaign deleteContact deleteDomain deleteEventName deleteProject deleteSegment deleteSuppression deleteTemplate deleteWorkflow deleteWorkflowStep deleteWorkflowTransition duplicateCampaign duplicateTemplate duplicateWorkflow endSession inviteMember joinProject logOut moveWorkflowSteps pauseCampaign regenerateKeys removeMember requestPasswordReset requestVerification restoreTemplateVersion resumeCampaign revokeInvitation rotateWebhookSecret sendCampaign startWorkflowExecution suppressAddresses trackEvent updateBillingLimits updateContact updateDomain updateMember updateProject updateSegment updateWorkflow updateWorkflowStep upsertContact',
}

const fields = Object.values(schema.getTypeMap()).flatMap((type) =>
  (isObjectType(type) || isInterfaceType(type)) && !type.name.startsWith('__')
    ? Object.values(type.getFields()).map((field) => ({ name: `${type.name}.${field.name}`, ...field.extensions }))
    : [],
) as { name: string; cost?: number; waits?: true }[]

const costsOf = (chosen: typeof fields) => Object.fromEntries(chosen.map(({ name, cost }) => [name, cost]))

test('every field that waits outside or for a turn of its own says so, with its cost', () => {
  expect(costsOf(fields.filter(({ waits }) => waits))).toEqual(waiting)
})

test('every field that reads much more than it answers has the cost of that', () => {
  // What costs less than an object only has many values.
  const costly = fields.filter(({ waits, cost = 0 }) => !waits && cost > 1)
  expect(costsOf(costly)).toEqual(scanning)
})

test.each(['Query', 'Mutation'] as const)('every field of %s waits, scans, or is known to do neither', (root) => {
  const placed = [...Object.keys(waiting), ...Object.keys(scanning)].filter((name) => name.startsWith(`${root}.`))
  const all = fields.flatMap(({ name }) => (name.startsWith(`${root}.`) ? [name] : []))
  expect(all.sort()).toEqual([...placed, ...plain[root].split(' ').map((name) => `${root}.${name}`)].sort())
})
