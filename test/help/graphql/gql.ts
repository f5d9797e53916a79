/* eslint-disable */
import * as types from './graphql.ts';



/**
 * Map of all GraphQL operations in the project.
 *
 * This map has several performance disadvantages:
 * 1. It is not tree-shakeable, so it will include all operations in the project.
 * 2. It is not minifiable, so the string of a GraphQL query will be multiple times inside the bundle.
 * 3. It does not support dead code elimination, so it will add unused operations.
 *
 * Therefore it is highly recommended to use the babel or swc plugin for production.
 * Learn more about it here: https://the-guild.dev/graphql/codegen/plugins/presets/preset-client#reducing-bundle-size
 */
type Documents = {
    "\n  query EmailTimelines {\n    emails(first: 20) { nodes { events { id } timeline { id event { id } type timestamp reason bounceType link machine machineReason } } }\n  }\n": typeof types.EmailTimelinesDocument,
    "query EndOfTimeline { emails(first: 1) { nodes { opens events { name } timeline { type } eventsOmitted } } }": typeof types.EndOfTimelineDocument,
    "query MetadataOfActivity { activity(first: 20) { nodes { type metadata } } }": typeof types.MetadataOfActivityDocument,
    "\n  query Upcoming($limit: Int, $daysAhead: Int) {\n    upcomingActivity(limit: $limit, daysAhead: $daysAhead) {\n      id type timestamp\n      campaign { id name }\n      execution { id status workflow { name } currentStep { name } contact { email } }\n      contact { email }\n    }\n  }\n": typeof types.UpcomingDocument,
    "\n  query TopCampaigns($limit: Int, $metric: CampaignMetric, $startDate: Date, $endDate: Date, $timezone: String) {\n    topCampaigns(limit: $limit, metric: $metric, startDate: $startDate, endDate: $endDate, timezone: $timezone) { id name stats { sentCount openRate machineOpens } }\n  }\n": typeof types.TopCampaignsDocument,
    "\n  query CampaignSummary {\n    campaignSummary { total active completed averageOpenRate averageClickRate campaigns { id status stats { clickRate } } }\n  }\n": typeof types.CampaignSummaryDocument,
    "\n  query TopEvents($limit: Int, $startDate: Date, $endDate: Date, $tracked: Boolean) {\n    topEvents(limit: $limit, startDate: $startDate, endDate: $endDate, tracked: $tracked) { name count trend }\n  }\n": typeof types.TopEventsDocument,
    "\n  query Series($startDate: Date, $endDate: Date, $timezone: String, $interval: TimeseriesInterval) {\n    timeseries(startDate: $startDate, endDate: $endDate, timezone: $timezone, interval: $interval) {\n      start day sent delivered opened clicked bounced machineOpened machineClicked complained failed unsubscribed\n    }\n  }\n": typeof types.SeriesDocument,
    "\n  query EmailTotals($startDate: Date, $endDate: Date, $timezone: String) {\n    emailTotals(startDate: $startDate, endDate: $endDate, timezone: $timezone) {\n      startDate endDate sent delivered opened clicked bounced complained failed unsubscribed\n      deliveryRate openRate clickRate bounceRate complaintRate\n      previous { startDate endDate sent openRate }\n    }\n  }\n": typeof types.EmailTotalsDocument,
    "query EventCounts($startDate: Date, $endDate: Date) { eventCounts(startDate: $startDate, endDate: $endDate) { name count } }": typeof types.EventCountsDocument,
    "query ActivityStats($startDate: Date, $endDate: Date) { activityStats(startDate: $startDate, endDate: $endDate) { totalEvents } }": typeof types.ActivityStatsDocument,
    "\n  query CapsOfProject {\n    project {\n      billingLimits {\n        freeAllowance { category limit usage remaining isBlocked }\n        transactional { category limit usage remaining }\n        campaigns { category limit usage remaining }\n      }\n    }\n  }\n": typeof types.CapsOfProjectDocument,
    "\n  mutation SetCaps($input: UpdateBillingLimitsInput!) {\n    updateBillingLimits(input: $input) { billingLimits { transactional { limit remaining } campaigns { limit } freeAllowance { limit } } }\n  }\n": typeof types.SetCapsDocument,
    "\n  query AudiencePreview($input: AudiencePreviewInput!) {\n    audiencePreview(input: $input) { recipients excluded { reason count } }\n  }\n": typeof types.AudiencePreviewDocument,
    "\n  mutation PatchCampaign($input: UpdateCampaignInput!) {\n    updateCampaign(input: $input) { campaign { name description subject previewText from replyTo type maxPerHour updatedAt } }\n  }\n": typeof types.PatchCampaignDocument,
    "\n    mutation ScheduleCampaign($input: SendCampaignInput!) { sendCampaign(input: $input) { campaign { status scheduledAt } } }\n  ": typeof types.ScheduleCampaignDocument,
    "query CampaignsInStates($filter: CampaignFilter) { campaigns(filter: $filter) { totalCount nodes { id } } }": typeof types.CampaignsInStatesDocument,
    "mutation SendTemplateTest($input: SendTemplateTestInput!) { sendTemplateTest(input: $input) { message } }": typeof types.SendTemplateTestDocument,
    "\n  query CampaignLinks($id: ID!) { campaign(id: $id) { sentAt finishedAt links { url clicks uniqueClicks machineClicks } } }\n": typeof types.CampaignLinksDocument,
    "query LinksOfCampaigns { campaigns(first: 3) { nodes { links { url } } } }": typeof types.LinksOfCampaignsDocument,
    "\n  query PreviewEmail($input: PreviewEmailInput!) {\n    previewEmail(input: $input) { subject previewText html text from fromName replyTo missing links sizeBytes }\n  }\n": typeof types.PreviewEmailDocument,
    "\n  query RecipientsBy($id: ID!, $filter: CampaignRecipientFilter) {\n    campaign(id: $id) { recipients(first: 5, filter: $filter) { totalCount nodes { address } } }\n  }\n": typeof types.RecipientsByDocument,
    "mutation CreateCampaign($input: CreateCampaignInput!) {\n    createCampaign(input: $input) { campaign { id condition audiencePreview { recipients excluded { reason count } } } }\n  }": typeof types.CreateCampaignDocument,
    "\n  mutation CreateVisualCampaign($input: CreateCampaignInput!) {\n    createCampaign(input: $input) { campaign { id mode body document updatedAt } }\n  }\n": typeof types.CreateVisualCampaignDocument,
    "\n  mutation UpdateVisualCampaign($input: UpdateCampaignInput!) {\n    updateCampaign(input: $input) { campaign { mode body document } }\n  }\n": typeof types.UpdateVisualCampaignDocument,
    "query PreviewOfCampaign($input: PreviewEmailInput!) { previewEmail(input: $input) { subject text } }": typeof types.PreviewOfCampaignDocument,
    "\n  query WhatBecame($id: ID!) {\n    campaign(id: $id) { stats { totalRecipients sentCount failedCount suppressedCount waitingCount cancelledCount } }\n  }\n": typeof types.WhatBecameDocument,
    "\n  query PeopleOfFilter($filter: ContactFilter, $orderBy: ContactOrder, $first: Int, $after: String, $last: Int) {\n    contacts(filter: $filter, orderBy: $orderBy, first: $first, after: $after, last: $last) {\n      totalCount pageInfo { hasNextPage endCursor } nodes { email }\n    }\n  }\n": typeof types.PeopleOfFilterDocument,
    "\n  query PeopleOfSegment($id: ID!, $filter: ContactFilter) {\n    segment(id: $id) { contacts(filter: $filter) { totalCount nodes { email } } }\n  }\n": typeof types.PeopleOfSegmentDocument,
    "mutation UnsubscribeMany($filter: ContactFilter) { bulkUnsubscribeContacts(input: { filter: $filter }) { jobId } }": typeof types.UnsubscribeManyDocument,
    "mutation DeleteMany($filter: ContactFilter) { bulkDeleteContacts(input: { filter: $filter }) { jobId } }": typeof types.DeleteManyDocument,
    "mutation BulkDelete($input: BulkDeleteContactsInput!) { bulkDeleteContacts(input: $input) { jobId } }": typeof types.BulkDeleteDocument,
    "query BulkJob($id: ID!) { job(id: $id) { bulkResult { totalRequested successCount failureCount errors { contactId } errorsOmitted } } }": typeof types.BulkJobDocument,
    "\n    mutation DeleteField($input: DeleteContactFieldInput!) { deleteContactField(input: $input) { deletedField contactCount } }\n  ": typeof types.DeleteFieldDocument,
    "\n    query Fields { contactFields { totalCount nodes { field type isCustom coverage contactCount } } }\n  ": typeof types.FieldsDocument,
    "\n    query Operators { contactFields { nodes { field operators } } workflowFields { nodes { field operators } } }\n  ": typeof types.OperatorsDocument,
    "\n    query FieldPage($first: Int, $after: String, $last: Int, $before: String) {\n      contactFields(first: $first, after: $after, last: $last, before: $before) {\n        nodes { field usage { isUsed } } pageInfo { hasNextPage endCursor startCursor }\n      }\n    }\n  ": typeof types.FieldPageDocument,
    "query FieldUses { contactFields(first: 50) { nodes { field usage { isUsed segments(first: 5) { totalCount nodes { name } } } } } }": typeof types.FieldUsesDocument,
    "query FieldUseCounts { contactFields { nodes { field usage { segments { totalCount } } } } }": typeof types.FieldUseCountsDocument,
    "\n    query Values($field: String!, $limit: Int) { contactFieldValues(field: $field, limit: $limit) }\n  ": typeof types.ValuesDocument,
    "\n  query CheckImport($content: String!) {\n    checkImport(content: $content) { rows new existing fields { name type isNew } errors { row email error } errorsOmitted }\n  }\n": typeof types.CheckImportDocument,
    "mutation ImportContacts($content: String!) { importContacts(input: { content: $content }) { jobId job { id kind state } } }": typeof types.ImportContactsDocument,
    "query ImportResult($id: ID!) { job(id: $id) { state importResult { totalRows createdCount updatedCount failureCount } } }": typeof types.ImportResultDocument,
    "\n  mutation ImportSuppressions($input: ImportSuppressionsInput!) {\n    importSuppressions(input: $input) { added alreadyThere errors { row email error } errorsOmitted }\n  }\n": typeof types.ImportSuppressionsDocument,
    "\n    query Lookup($emails: [String!]!) {\n      contactLookup(emails: $emails) { found { email contact { id } } notFound }\n    }\n  ": typeof types.LookupDocument,
    "\n    query Ordered($orderBy: ContactOrder, $first: Int, $after: String, $last: Int, $before: String) {\n      contacts(orderBy: $orderBy, first: $first, after: $after, last: $last, before: $before) {\n        nodes { email }\n        pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n      }\n    }\n  ": typeof types.OrderedDocument,
    "mutation ChangeContact($input: UpdateContactInput!) { updateContact(input: $input) { contact { id email subscribed data } } }": typeof types.ChangeContactDocument,
    "\n  query FilteredEmails($filter: EmailFilter) { emails(filter: $filter) { totalCount nodes { id } } }\n": typeof types.FilteredEmailsDocument,
    "\n    query RareEmails($after: String) {\n      emails(filter: { sources: [TRANSACTIONAL] }, first: 5, after: $after) { nodes { id } pageInfo { hasNextPage endCursor } }\n    }\n  ": typeof types.RareEmailsDocument,
    "\n  query EmailParts($first: Int) {\n    emails(first: $first) {\n      nodes {\n        from fromName replyTo type tags cc { email name } bcc { email name }\n        message { html text headers { name value } attachments { filename contentType size } }\n      }\n    }\n  }\n": typeof types.EmailPartsDocument,
    "\n  query UsageOfEvent($name: String!) {\n    eventUsage(name: $name) { name totalCount uniqueContacts isUsed segments(first: 5) { totalCount nodes { name } } campaigns(first: 5) { totalCount nodes { name } } }\n  }\n": typeof types.UsageOfEventDocument,
    "\n  query Jobs($first: Int, $after: String, $last: Int, $before: String, $filter: JobFilter) {\n    jobs(first: $first, after: $after, last: $last, before: $before, filter: $filter) {\n      totalCount\n      pageInfo { hasNextPage hasPreviousPage endCursor startCursor }\n      nodes { id kind state progress importResult { totalRows } bulkResult { totalRequested } }\n    }\n  }\n": typeof types.JobsDocument,
    "query WorkOfJobs { jobs { nodes { operation done total } } }": typeof types.WorkOfJobsDocument,
    "mutation CreateCounted($input: CreateSegmentInput!) { createSegment(input: $input) { segment { id memberCount countedAt } } }": typeof types.CreateCountedDocument,
    "mutation ChangeCounted($input: UpdateSegmentInput!) { updateSegment(input: $input) { segment { memberCount countedAt } } }": typeof types.ChangeCountedDocument,
    "mutation CountAgain($id: ID!) { refreshSegment(input: { id: $id }) { segment { memberCount countedAt updatedAt } } }": typeof types.CountAgainDocument,
    "mutation ComputeCounted($id: ID!) { computeSegment(input: { id: $id }) { segment { memberCount countedAt } } }": typeof types.ComputeCountedDocument,
    "query EventsOfSegment($id: ID!) { segment(id: $id) { entryEvent exitEvent } }": typeof types.EventsOfSegmentDocument,
    "mutation CreateSegment($input: CreateSegmentInput!) { createSegment(input: $input) { segment { id name type condition trackMembership memberCount description } } }": typeof types.CreateSegmentDocument,
    "mutation UpdateSegment($input: UpdateSegmentInput!) { updateSegment(input: $input) { segment { id name condition memberCount updatedAt } } }": typeof types.UpdateSegmentDocument,
    "mutation DeleteSegment($id: ID!) { deleteSegment(input: { id: $id }) { deletedSegmentId } }": typeof types.DeleteSegmentDocument,
    "mutation AddMembers($input: AddSegmentMembersInput!) { addSegmentMembers(input: $input) { added created alreadyMembers notFound segment { memberCount } } }": typeof types.AddMembersDocument,
    "mutation RemoveMembers($input: RemoveSegmentMembersInput!) { removeSegmentMembers(input: $input) { removed segment { memberCount } } }": typeof types.RemoveMembersDocument,
    "mutation ComputeSegment($id: ID!) { computeSegment(input: { id: $id }) { added removed total segment { memberCount } } refreshSegment(input: { id: $id }) { segment { memberCount } } }": typeof types.ComputeSegmentDocument,
    "query ReadCondition($id: ID!) { segment(id: $id) { condition } }": typeof types.ReadConditionDocument,
    "\n  query GetSegment($id: ID!, $contactId: ID!) {\n    segment(id: $id) { name issues { path message } explanation(contactId: $contactId) { matches leaves { path field operator value unit actual matches } } }\n    node(id: $id) { __typename id }\n  }\n": typeof types.GetSegmentDocument,
    "\n  query ContactsOfSegment($id: ID!, $first: Int, $after: String, $last: Int, $before: String) {\n    segment(id: $id) {\n      contacts(first: $first, after: $after, last: $last, before: $before) {\n        totalCount pageInfo { hasNextPage hasPreviousPage startCursor endCursor } nodes { email events(first: 1) { nodes { name } } }\n      }\n    }\n  }\n": typeof types.ContactsOfSegmentDocument,
    "query SegmentsOf { contacts { nodes { email segments(first: 5) { totalCount nodes { name memberCount } } } } }": typeof types.SegmentsOfDocument,
    "query ListSegments { segments(first: 2) { totalCount nodes { name contacts(first: 1) { nodes { email } } } } }": typeof types.ListSegmentsDocument,
    "\n    query ExplainCondition($condition: ConditionInput!, $contactId: ID!) {\n      conditionExplanation(condition: $condition, contactId: $contactId) { matches leaves { path field operator actual matches } }\n    }\n  ": typeof types.ExplainConditionDocument,
    "query SegmentsOfEach { contacts { nodes { email segments(first: 5) { totalCount nodes { name } } } } }": typeof types.SegmentsOfEachDocument,
    "\n  query SegmentUses($id: ID!) { segment(id: $id) { usage { canDelete campaigns { totalCount nodes { id status } } } } }\n": typeof types.SegmentUsesDocument,
    "\n      mutation Suppress($input: SuppressAddressesInput!) { suppressAddresses(input: $input) { added alreadyThere suppressions { email reason } } }\n    ": typeof types.SuppressDocument,
    "\n      query Suppressed($id: ID!, $filter: SuppressionFilter, $after: String) {\n        contact(id: $id) { suppression { reason } }\n        contacts(orderBy: { by: EMAIL }) { nodes { suppression { email } } }\n        suppressions(filter: $filter, first: 1, after: $after) {\n          totalCount\n          nodes { email reason source emailId since contact { id } causedBy { id } }\n          pageInfo { hasNextPage endCursor }\n        }\n      }\n    ": typeof types.SuppressedDocument,
    "\n      mutation Unsuppress($input: DeleteSuppressionInput!) { deleteSuppression(input: $input) { deletedEmail } }\n    ": typeof types.UnsuppressDocument,
    "\n  query ExecutionCounts($id: ID!) {\n    workflow(id: $id) {\n      executionCounts { running waiting completed exited failed cancelled }\n      steps { name active entered }\n    }\n  }\n": typeof types.ExecutionCountsDocument,
    "query CountsOfWorkflows { workflows(first: 5) { nodes { executionCounts { running } steps { active } } } }": typeof types.CountsOfWorkflowsDocument,
    "\n  query GraphsOfExecutions($id: ID!) {\n    workflow(id: $id) {\n      executions { nodes { version graph { steps { id name type } transitions { fromStepId toStepId branch name } } } }\n    }\n  }\n": typeof types.GraphsOfExecutionsDocument,
    "\n  mutation StartExecution($input: StartWorkflowExecutionInput!) {\n    startWorkflowExecution(input: $input) { execution { id status context version currentStep { name type } contact { email } workflow { name } } }\n  }\n": typeof types.StartExecutionDocument,
    "\n  mutation CancelExecution($input: CancelWorkflowExecutionInput!) { cancelWorkflowExecution(input: $input) { execution { status exitReason } } }\n": typeof types.CancelExecutionDocument,
    "\n  mutation CancelExecutions($id: ID!) { cancelWorkflowExecutions(input: { workflowId: $id }) { cancelled workflow { id } } }\n": typeof types.CancelExecutionsDocument,
    "\n  query ReadExecution($id: ID!, $workflow: ID!, $contact: ID!) {\n    workflowExecution(id: $id) {\n      status exitReason completedAt\n      stepExecutions { status input output branch attempts step { name type } }\n    }\n    node(id: $id) { __typename id }\n    workflow(id: $workflow) {\n      steps { name entered completed failed }\n      executions(filter: { statuses: [EXITED, FAILED] }) { totalCount edges { node { id } } }\n    }\n    contact(id: $contact) { executions { totalCount edges { node { id status workflow { name } } } } }\n  }\n": typeof types.ReadExecutionDocument,
    "query EmailsOfSteps($id: ID!) {\n    workflowExecution(id: $id) { stepExecutions { email { to subject execution { id } } } }\n    emails(filter: { executionId: $id }) { totalCount nodes { subject } }\n  }": typeof types.EmailsOfStepsDocument,
    "\n  query NestedExecutions($workflows: Int!, $first: Int, $last: Int, $after: String, $before: String, $filter: WorkflowExecutionFilter) {\n    workflows(first: $workflows) {\n      nodes {\n        name\n        executions(first: $first, last: $last, after: $after, before: $before, filter: $filter) {\n          totalCount\n          pageInfo { hasNextPage hasPreviousPage endCursor startCursor }\n          nodes { id status contact { id email } }\n        }\n      }\n    }\n  }\n": typeof types.NestedExecutionsDocument,
    "\n  query ExecutionRelations {\n    activity(first: 10) { nodes { type execution { id workflow { name } } } }\n    emails(first: 2) { nodes { subject execution { id status workflow { name } contact { email } } } }\n    events(first: 10) { nodes { name execution { id } } }\n  }\n": typeof types.ExecutionRelationsDocument,
    "query WorkflowFields($eventName: String) { workflowFields(eventName: $eventName, first: 100) { totalCount nodes { field type category } } }": typeof types.WorkflowFieldsDocument,
    "\n  mutation MoveWorkflowSteps($input: MoveWorkflowStepsInput!) {\n    moveWorkflowSteps(input: $input) { workflow { id version steps { id position { x y } updatedAt } } }\n  }\n": typeof types.MoveWorkflowStepsDocument,
    "mutation SpellStep($input: CreateWorkflowStepInput!) { createWorkflowStep(input: $input) { step { id config } } }": typeof types.SpellStepDocument,
    "mutation RespellStep($input: UpdateWorkflowStepInput!) { updateWorkflowStep(input: $input) { step { config } } }": typeof types.RespellStepDocument,
    "\n  mutation CreateWorkflow($input: CreateWorkflowInput!) {\n    createWorkflow(input: $input) { workflow { id name enabled triggerType triggerConfig { eventName } exitEvents version issues { code } } }\n  }\n": typeof types.CreateWorkflowDocument,
    "\n  mutation UpdateWorkflow($input: UpdateWorkflowInput!) { updateWorkflow(input: $input) { workflow { id name enabled triggerType version } } }\n": typeof types.UpdateWorkflowDocument,
    "mutation DuplicateWorkflow($id: ID!) { duplicateWorkflow(input: { id: $id }) { workflow { name enabled steps { type } } } }": typeof types.DuplicateWorkflowDocument,
    "mutation DeleteWorkflow($id: ID!) { deleteWorkflow(input: { id: $id }) { deletedWorkflowId } }": typeof types.DeleteWorkflowDocument,
    "\n  mutation AddStep($input: CreateWorkflowStepInput!) {\n    createWorkflowStep(input: $input) {\n      step { id type name position { x y } config template { name } }\n      workflow { issues { code stepId } steps { id } transitions { branch fromStepId toStepId from { id } } }\n    }\n  }\n": typeof types.AddStepDocument,
    "\n  mutation ChangeStep($input: UpdateWorkflowStepInput!) {\n    updateWorkflowStep(input: $input) { step { id name config template { id } } workflow { version issues { code severity } } }\n  }\n": typeof types.ChangeStepDocument,
    "\n  mutation RemoveStep($input: DeleteWorkflowStepInput!) { deleteWorkflowStep(input: $input) { deletedStepId workflow { steps { id } } } }\n": typeof types.RemoveStepDocument,
    "\n  mutation Lead($input: CreateWorkflowTransitionInput!) {\n    createWorkflowTransition(input: $input) { created transition { id branch priority from { id } to { id workflow { name } } } workflow { id } }\n  }\n": typeof types.LeadDocument,
    "\n  mutation Unlead($input: DeleteWorkflowTransitionInput!) { deleteWorkflowTransition(input: $input) { deletedTransitionId workflow { id } } }\n": typeof types.UnleadDocument,
    "\n  query ReadWorkflow($id: ID!) {\n    workflow(id: $id) {\n      name description allowReentry\n      issues { code severity message stepId }\n      steps { id type name config template { name } }\n      transitions { branch fromStepId to { id } }\n    }\n    node(id: $id) { __typename id }\n  }\n": typeof types.ReadWorkflowDocument,
    "\n  query ListWorkflows($filter: WorkflowFilter, $first: Int) {\n    workflows(filter: $filter, first: $first) { totalCount nodes { id name issues { code } steps { name } transitions { priority } } }\n  }\n": typeof types.ListWorkflowsDocument,
    "mutation EnableBeyondTheLimit($id: ID!) { updateWorkflow(input: { id: $id, enabled: true }) { workflow { id } } }": typeof types.EnableBeyondTheLimitDocument,
    "\n  query UsesInWorkflows($event: String!) {\n    contactFields(first: 50) { nodes { field usage { isUsed workflows(first: 5) { totalCount nodes { name } } } } }\n    eventUsage(name: $event) { isUsed workflows(first: 5) { nodes { id name } } }\n  }\n": typeof types.UsesInWorkflowsDocument,
    "\n  query StepsOfTemplate($id: ID!) { template(id: $id) { workflowSteps(first: 5) { totalCount nodes { id name workflow { name } } } } }\n": typeof types.StepsOfTemplateDocument,
    "mutation Upsert($input: UpsertContactInput!) { upsertContact(input: $input) { created contact { id email subscribed data createdAt } } }": typeof types.UpsertDocument,
    "query GetContact($id: ID!) { contact(id: $id) { id email } }": typeof types.GetContactDocument,
    "query GetNode($id: ID!) { node(id: $id) { __typename id } }": typeof types.GetNodeDocument,
    "\n  query ListContacts($first: Int, $after: String, $last: Int, $before: String, $filter: ContactFilter) {\n    contacts(first: $first, after: $after, last: $last, before: $before, filter: $filter) {\n      totalCount\n      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n      nodes { email }\n    }\n  }\n": typeof types.ListContactsDocument,
    "\n  mutation Send($input: SendEmailInput!) {\n    sendEmail(input: $input) { replayed emails { contact { email subscribed } email { id status subject source contact { id } events { name } } } }\n  }\n": typeof types.SendDocument,
    "mutation Track($input: TrackEventInput!) { trackEvent(input: $input) { contact { email } event { id name data } } }": typeof types.TrackDocument,
    "\n  query Everything {\n    contacts { nodes { email emails(first: 2) { totalCount nodes { subject contact { email } } } events(first: 2) { totalCount edges { cursor node { name email { id } contact { email } } } } } }\n  }\n": typeof types.EverythingDocument,
    "mutation CreateTemplate($input: CreateTemplateInput!) { createTemplate(input: $input) { template { id name type usage { emailsSent } } } }": typeof types.CreateTemplateDocument,
    "mutation UpdateTemplate($input: UpdateTemplateInput!) { updateTemplate(input: $input) { template { description subject } } }": typeof types.UpdateTemplateDocument,
    "mutation DeleteContact($id: ID!) { deleteContact(input: { id: $id }) { deletedContactId } }": typeof types.DeleteContactDocument,
    "mutation RegenerateKeys { regenerateKeys { keys { publicKey secretKey } } }": typeof types.RegenerateKeysDocument,
    "\n  query Lists($contacts: ContactFilter, $events: EventFilter, $activity: ActivityFilter, $templates: TemplateFilter) {\n    contacts(filter: $contacts) { totalCount nodes { id } }\n    events(filter: $events) { totalCount nodes { id } }\n    activity(filter: $activity) { totalCount nodes { id } }\n    templates(filter: $templates) { totalCount nodes { id } }\n  }\n": typeof types.ListsDocument,
    "query Emails($filter: EmailFilter) { emails(filter: $filter) { totalCount nodes { id subject } } }": typeof types.EmailsDocument,
    "\n  query EventsOf($first: Int, $after: String) {\n    contacts { nodes { events(first: $first, after: $after) { totalCount pageInfo { hasNextPage endCursor } nodes { name } } } }\n  }\n": typeof types.EventsOfDocument,
    "\n  mutation InviteMember($input: InviteMemberInput!) { inviteMember(input: $input) { invitation { id email role } invitationUrl } }\n": typeof types.InviteMemberDocument,
    "mutation UpdateMember($input: UpdateMemberInput!) { updateMember(input: $input) { member { userId role } } }": typeof types.UpdateMemberDocument,
    "mutation RemoveMember($input: RemoveMemberInput!) { removeMember(input: $input) { removedUserId } }": typeof types.RemoveMemberDocument,
    "mutation RevokeInvitation($input: RevokeInvitationInput!) { revokeInvitation(input: $input) { revokedInvitationId } }": typeof types.RevokeInvitationDocument,
    "\n  query Members($first: Int, $after: String) {\n    project {\n      members(first: $first, after: $after) { totalCount nodes { email } pageInfo { hasNextPage endCursor } }\n      invitations { email }\n    }\n  }\n": typeof types.MembersDocument,
    "query Domains($first: Int, $after: String) { domains(first: $first, after: $after) { totalCount nodes { domain } pageInfo { hasNextPage endCursor } } }": typeof types.DomainsDocument,
    "query MyProjects($last: Int) { viewer { projects(last: $last) { totalCount nodes { name } pageInfo { hasPreviousPage } } } }": typeof types.MyProjectsDocument,
    "mutation SendOne($input: SendEmailInput!) { sendEmail(input: $input) { emails { email { subject } } } }": typeof types.SendOneDocument,
    "\n  query Feed($first: Int) {\n    activity(first: $first) {\n      nodes {\n        type\n        contactId\n        contact { email subscribed }\n        email { subject template { name } contact { email } }\n        event { name contact { email } email { status template { name } } }\n      }\n    }\n  }\n": typeof types.FeedDocument,
    "\n  query EmailsWithRelations($first: Int) {\n    emails(first: $first) { nodes { template { name usage { emailsSent } } contact { email } events { name contact { email } email { id } } } }\n  }\n": typeof types.EmailsWithRelationsDocument,
    "query Log($first: Int) { events(first: $first) { nodes { name contactId contact { email } emailId email { to template { name } } } } }": typeof types.LogDocument,
    "\n  mutation SendToMany($input: SendEmailInput!) {\n    sendEmail(input: $input) { emails { contactId contact { email } emailId email { status template { name } } } }\n  }\n": typeof types.SendToManyDocument,
    "\n  query ReadConfig {\n    config {\n      environment apiUrl dashboardUrl billingEnabled signupsEnabled verificationRequired accountEmailsEnabled oauthProviders\n      maxAttachmentBytes maxImageBytes maxImportBytes\n    }\n  }\n": typeof types.ReadConfigDocument,
    "query ReadInvitation($token: String!) { invitation(token: $token) { projectName email role hasAccount } }": typeof types.ReadInvitationDocument,
    "\n  mutation AcceptInvitation($input: AcceptInvitationInput!) {\n    acceptInvitation(input: $input) { user { email } project { id name role webhookSecret } }\n  }\n": typeof types.AcceptInvitationDocument,
    "mutation JoinProject($input: JoinProjectInput!) { joinProject(input: $input) { project { id role } } }": typeof types.JoinProjectDocument,
    "\n  query UsesOfSegments {\n    segments {\n      nodes {\n        name\n        usage { canDelete segments { nodes { name } } campaigns { totalCount nodes { name } } workflows { nodes { name } } }\n      }\n    }\n  }\n": typeof types.UsesOfSegmentsDocument,
    "\n  query UsesOfDomains { domains { nodes { domain usage { canDelete templates { totalCount nodes { name } } campaigns { nodes { name } } } } } }\n": typeof types.UsesOfDomainsDocument,
};
const documents: Documents = {
    "\n  query EmailTimelines {\n    emails(first: 20) { nodes { events { id } timeline { id event { id } type timestamp reason bounceType link machine machineReason } } }\n  }\n": types.EmailTimelinesDocument,
    "query EndOfTimeline { emails(first: 1) { nodes { opens events { name } timeline { type } eventsOmitted } } }": types.EndOfTimelineDocument,
    "query MetadataOfActivity { activity(first: 20) { nodes { type metadata } } }": types.MetadataOfActivityDocument,
    "\n  query Upcoming($limit: Int, $daysAhead: Int) {\n    upcomingActivity(limit: $limit, daysAhead: $daysAhead) {\n      id type timestamp\n      campaign { id name }\n      execution { id status workflow { name } currentStep { name } contact { email } }\n      contact { email }\n    }\n  }\n": types.UpcomingDocument,
    "\n  query TopCampaigns($limit: Int, $metric: CampaignMetric, $startDate: Date, $endDate: Date, $timezone: String) {\n    topCampaigns(limit: $limit, metric: $metric, startDate: $startDate, endDate: $endDate, timezone: $timezone) { id name stats { sentCount openRate machineOpens } }\n  }\n": types.TopCampaignsDocument,
    "\n  query CampaignSummary {\n    campaignSummary { total active completed averageOpenRate averageClickRate campaigns { id status stats { clickRate } } }\n  }\n": types.CampaignSummaryDocument,
    "\n  query TopEvents($limit: Int, $startDate: Date, $endDate: Date, $tracked: Boolean) {\n    topEvents(limit: $limit, startDate: $startDate, endDate: $endDate, tracked: $tracked) { name count trend }\n  }\n": types.TopEventsDocument,
    "\n  query Series($startDate: Date, $endDate: Date, $timezone: String, $interval: TimeseriesInterval) {\n    timeseries(startDate: $startDate, endDate: $endDate, timezone: $timezone, interval: $interval) {\n      start day sent delivered opened clicked bounced machineOpened machineClicked complained failed unsubscribed\n    }\n  }\n": types.SeriesDocument,
    "\n  query EmailTotals($startDate: Date, $endDate: Date, $timezone: String) {\n    emailTotals(startDate: $startDate, endDate: $endDate, timezone: $timezone) {\n      startDate endDate sent delivered opened clicked bounced complained failed unsubscribed\n      deliveryRate openRate clickRate bounceRate complaintRate\n      previous { startDate endDate sent openRate }\n    }\n  }\n": types.EmailTotalsDocument,
    "query EventCounts($startDate: Date, $endDate: Date) { eventCounts(startDate: $startDate, endDate: $endDate) { name count } }": types.EventCountsDocument,
    "query ActivityStats($startDate: Date, $endDate: Date) { activityStats(startDate: $startDate, endDate: $endDate) { totalEvents } }": types.ActivityStatsDocument,
    "\n  query CapsOfProject {\n    project {\n      billingLimits {\n        freeAllowance { category limit usage remaining isBlocked }\n        transactional { category limit usage remaining }\n        campaigns { category limit usage remaining }\n      }\n    }\n  }\n": types.CapsOfProjectDocument,
    "\n  mutation SetCaps($input: UpdateBillingLimitsInput!) {\n    updateBillingLimits(input: $input) { billingLimits { transactional { limit remaining } campaigns { limit } freeAllowance { limit } } }\n  }\n": types.SetCapsDocument,
    "\n  query AudiencePreview($input: AudiencePreviewInput!) {\n    audiencePreview(input: $input) { recipients excluded { reason count } }\n  }\n": types.AudiencePreviewDocument,
    "\n  mutation PatchCampaign($input: UpdateCampaignInput!) {\n    updateCampaign(input: $input) { campaign { name description subject previewText from replyTo type maxPerHour updatedAt } }\n  }\n": types.PatchCampaignDocument,
    "\n    mutation ScheduleCampaign($input: SendCampaignInput!) { sendCampaign(input: $input) { campaign { status scheduledAt } } }\n  ": types.ScheduleCampaignDocument,
    "query CampaignsInStates($filter: CampaignFilter) { campaigns(filter: $filter) { totalCount nodes { id } } }": types.CampaignsInStatesDocument,
    "mutation SendTemplateTest($input: SendTemplateTestInput!) { sendTemplateTest(input: $input) { message } }": types.SendTemplateTestDocument,
    "\n  query CampaignLinks($id: ID!) { campaign(id: $id) { sentAt finishedAt links { url clicks uniqueClicks machineClicks } } }\n": types.CampaignLinksDocument,
    "query LinksOfCampaigns { campaigns(first: 3) { nodes { links { url } } } }": types.LinksOfCampaignsDocument,
    "\n  query PreviewEmail($input: PreviewEmailInput!) {\n    previewEmail(input: $input) { subject previewText html text from fromName replyTo missing links sizeBytes }\n  }\n": types.PreviewEmailDocument,
    "\n  query RecipientsBy($id: ID!, $filter: CampaignRecipientFilter) {\n    campaign(id: $id) { recipients(first: 5, filter: $filter) { totalCount nodes { address } } }\n  }\n": types.RecipientsByDocument,
    "mutation CreateCampaign($input: CreateCampaignInput!) {\n    createCampaign(input: $input) { campaign { id condition audiencePreview { recipients excluded { reason count } } } }\n  }": types.CreateCampaignDocument,
    "\n  mutation CreateVisualCampaign($input: CreateCampaignInput!) {\n    createCampaign(input: $input) { campaign { id mode body document updatedAt } }\n  }\n": types.CreateVisualCampaignDocument,
    "\n  mutation UpdateVisualCampaign($input: UpdateCampaignInput!) {\n    updateCampaign(input: $input) { campaign { mode body document } }\n  }\n": types.UpdateVisualCampaignDocument,
    "query PreviewOfCampaign($input: PreviewEmailInput!) { previewEmail(input: $input) { subject text } }": types.PreviewOfCampaignDocument,
    "\n  query WhatBecame($id: ID!) {\n    campaign(id: $id) { stats { totalRecipients sentCount failedCount suppressedCount waitingCount cancelledCount } }\n  }\n": types.WhatBecameDocument,
    "\n  query PeopleOfFilter($filter: ContactFilter, $orderBy: ContactOrder, $first: Int, $after: String, $last: Int) {\n    contacts(filter: $filter, orderBy: $orderBy, first: $first, after: $after, last: $last) {\n      totalCount pageInfo { hasNextPage endCursor } nodes { email }\n    }\n  }\n": types.PeopleOfFilterDocument,
    "\n  query PeopleOfSegment($id: ID!, $filter: ContactFilter) {\n    segment(id: $id) { contacts(filter: $filter) { totalCount nodes { email } } }\n  }\n": types.PeopleOfSegmentDocument,
    "mutation UnsubscribeMany($filter: ContactFilter) { bulkUnsubscribeContacts(input: { filter: $filter }) { jobId } }": types.UnsubscribeManyDocument,
    "mutation DeleteMany($filter: ContactFilter) { bulkDeleteContacts(input: { filter: $filter }) { jobId } }": types.DeleteManyDocument,
    "mutation BulkDelete($input: BulkDeleteContactsInput!) { bulkDeleteContacts(input: $input) { jobId } }": types.BulkDeleteDocument,
    "query BulkJob($id: ID!) { job(id: $id) { bulkResult { totalRequested successCount failureCount errors { contactId } errorsOmitted } } }": types.BulkJobDocument,
    "\n    mutation DeleteField($input: DeleteContactFieldInput!) { deleteContactField(input: $input) { deletedField contactCount } }\n  ": types.DeleteFieldDocument,
    "\n    query Fields { contactFields { totalCount nodes { field type isCustom coverage contactCount } } }\n  ": types.FieldsDocument,
    "\n    query Operators { contactFields { nodes { field operators } } workflowFields { nodes { field operators } } }\n  ": types.OperatorsDocument,
    "\n    query FieldPage($first: Int, $after: String, $last: Int, $before: String) {\n      contactFields(first: $first, after: $after, last: $last, before: $before) {\n        nodes { field usage { isUsed } } pageInfo { hasNextPage endCursor startCursor }\n      }\n    }\n  ": types.FieldPageDocument,
    "query FieldUses { contactFields(first: 50) { nodes { field usage { isUsed segments(first: 5) { totalCount nodes { name } } } } } }": types.FieldUsesDocument,
    "query FieldUseCounts { contactFields { nodes { field usage { segments { totalCount } } } } }": types.FieldUseCountsDocument,
    "\n    query Values($field: String!, $limit: Int) { contactFieldValues(field: $field, limit: $limit) }\n  ": types.ValuesDocument,
    "\n  query CheckImport($content: String!) {\n    checkImport(content: $content) { rows new existing fields { name type isNew } errors { row email error } errorsOmitted }\n  }\n": types.CheckImportDocument,
    "mutation ImportContacts($content: String!) { importContacts(input: { content: $content }) { jobId job { id kind state } } }": types.ImportContactsDocument,
    "query ImportResult($id: ID!) { job(id: $id) { state importResult { totalRows createdCount updatedCount failureCount } } }": types.ImportResultDocument,
    "\n  mutation ImportSuppressions($input: ImportSuppressionsInput!) {\n    importSuppressions(input: $input) { added alreadyThere errors { row email error } errorsOmitted }\n  }\n": types.ImportSuppressionsDocument,
    "\n    query Lookup($emails: [String!]!) {\n      contactLookup(emails: $emails) { found { email contact { id } } notFound }\n    }\n  ": types.LookupDocument,
    "\n    query Ordered($orderBy: ContactOrder, $first: Int, $after: String, $last: Int, $before: String) {\n      contacts(orderBy: $orderBy, first: $first, after: $after, last: $last, before: $before) {\n        nodes { email }\n        pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n      }\n    }\n  ": types.OrderedDocument,
    "mutation ChangeContact($input: UpdateContactInput!) { updateContact(input: $input) { contact { id email subscribed data } } }": types.ChangeContactDocument,
    "\n  query FilteredEmails($filter: EmailFilter) { emails(filter: $filter) { totalCount nodes { id } } }\n": types.FilteredEmailsDocument,
    "\n    query RareEmails($after: String) {\n      emails(filter: { sources: [TRANSACTIONAL] }, first: 5, after: $after) { nodes { id } pageInfo { hasNextPage endCursor } }\n    }\n  ": types.RareEmailsDocument,
    "\n  query EmailParts($first: Int) {\n    emails(first: $first) {\n      nodes {\n        from fromName replyTo type tags cc { email name } bcc { email name }\n        message { html text headers { name value } attachments { filename contentType size } }\n      }\n    }\n  }\n": types.EmailPartsDocument,
    "\n  query UsageOfEvent($name: String!) {\n    eventUsage(name: $name) { name totalCount uniqueContacts isUsed segments(first: 5) { totalCount nodes { name } } campaigns(first: 5) { totalCount nodes { name } } }\n  }\n": types.UsageOfEventDocument,
    "\n  query Jobs($first: Int, $after: String, $last: Int, $before: String, $filter: JobFilter) {\n    jobs(first: $first, after: $after, last: $last, before: $before, filter: $filter) {\n      totalCount\n      pageInfo { hasNextPage hasPreviousPage endCursor startCursor }\n      nodes { id kind state progress importResult { totalRows } bulkResult { totalRequested } }\n    }\n  }\n": types.JobsDocument,
    "query WorkOfJobs { jobs { nodes { operation done total } } }": types.WorkOfJobsDocument,
    "mutation CreateCounted($input: CreateSegmentInput!) { createSegment(input: $input) { segment { id memberCount countedAt } } }": types.CreateCountedDocument,
    "mutation ChangeCounted($input: UpdateSegmentInput!) { updateSegment(input: $input) { segment { memberCount countedAt } } }": types.ChangeCountedDocument,
    "mutation CountAgain($id: ID!) { refreshSegment(input: { id: $id }) { segment { memberCount countedAt updatedAt } } }": types.CountAgainDocument,
    "mutation ComputeCounted($id: ID!) { computeSegment(input: { id: $id }) { segment { memberCount countedAt } } }": types.ComputeCountedDocument,
    "query EventsOfSegment($id: ID!) { segment(id: $id) { entryEvent exitEvent } }": types.EventsOfSegmentDocument,
    "mutation CreateSegment($input: CreateSegmentInput!) { createSegment(input: $input) { segment { id name type condition trackMembership memberCount description } } }": types.CreateSegmentDocument,
    "mutation UpdateSegment($input: UpdateSegmentInput!) { updateSegment(input: $input) { segment { id name condition memberCount updatedAt } } }": types.UpdateSegmentDocument,
    "mutation DeleteSegment($id: ID!) { deleteSegment(input: { id: $id }) { deletedSegmentId } }": types.DeleteSegmentDocument,
    "mutation AddMembers($input: AddSegmentMembersInput!) { addSegmentMembers(input: $input) { added created alreadyMembers notFound segment { memberCount } } }": types.AddMembersDocument,
    "mutation RemoveMembers($input: RemoveSegmentMembersInput!) { removeSegmentMembers(input: $input) { removed segment { memberCount } } }": types.RemoveMembersDocument,
    "mutation ComputeSegment($id: ID!) { computeSegment(input: { id: $id }) { added removed total segment { memberCount } } refreshSegment(input: { id: $id }) { segment { memberCount } } }": types.ComputeSegmentDocument,
    "query ReadCondition($id: ID!) { segment(id: $id) { condition } }": types.ReadConditionDocument,
    "\n  query GetSegment($id: ID!, $contactId: ID!) {\n    segment(id: $id) { name issues { path message } explanation(contactId: $contactId) { matches leaves { path field operator value unit actual matches } } }\n    node(id: $id) { __typename id }\n  }\n": types.GetSegmentDocument,
    "\n  query ContactsOfSegment($id: ID!, $first: Int, $after: String, $last: Int, $before: String) {\n    segment(id: $id) {\n      contacts(first: $first, after: $after, last: $last, before: $before) {\n        totalCount pageInfo { hasNextPage hasPreviousPage startCursor endCursor } nodes { email events(first: 1) { nodes { name } } }\n      }\n    }\n  }\n": types.ContactsOfSegmentDocument,
    "query SegmentsOf { contacts { nodes { email segments(first: 5) { totalCount nodes { name memberCount } } } } }": types.SegmentsOfDocument,
    "query ListSegments { segments(first: 2) { totalCount nodes { name contacts(first: 1) { nodes { email } } } } }": types.ListSegmentsDocument,
    "\n    query ExplainCondition($condition: ConditionInput!, $contactId: ID!) {\n      conditionExplanation(condition: $condition, contactId: $contactId) { matches leaves { path field operator actual matches } }\n    }\n  ": types.ExplainConditionDocument,
    "query SegmentsOfEach { contacts { nodes { email segments(first: 5) { totalCount nodes { name } } } } }": types.SegmentsOfEachDocument,
    "\n  query SegmentUses($id: ID!) { segment(id: $id) { usage { canDelete campaigns { totalCount nodes { id status } } } } }\n": types.SegmentUsesDocument,
    "\n      mutation Suppress($input: SuppressAddressesInput!) { suppressAddresses(input: $input) { added alreadyThere suppressions { email reason } } }\n    ": types.SuppressDocument,
    "\n      query Suppressed($id: ID!, $filter: SuppressionFilter, $after: String) {\n        contact(id: $id) { suppression { reason } }\n        contacts(orderBy: { by: EMAIL }) { nodes { suppression { email } } }\n        suppressions(filter: $filter, first: 1, after: $after) {\n          totalCount\n          nodes { email reason source emailId since contact { id } causedBy { id } }\n          pageInfo { hasNextPage endCursor }\n        }\n      }\n    ": types.SuppressedDocument,
    "\n      mutation Unsuppress($input: DeleteSuppressionInput!) { deleteSuppression(input: $input) { deletedEmail } }\n    ": types.UnsuppressDocument,
    "\n  query ExecutionCounts($id: ID!) {\n    workflow(id: $id) {\n      executionCounts { running waiting completed exited failed cancelled }\n      steps { name active entered }\n    }\n  }\n": types.ExecutionCountsDocument,
    "query CountsOfWorkflows { workflows(first: 5) { nodes { executionCounts { running } steps { active } } } }": types.CountsOfWorkflowsDocument,
    "\n  query GraphsOfExecutions($id: ID!) {\n    workflow(id: $id) {\n      executions { nodes { version graph { steps { id name type } transitions { fromStepId toStepId branch name } } } }\n    }\n  }\n": types.GraphsOfExecutionsDocument,
    "\n  mutation StartExecution($input: StartWorkflowExecutionInput!) {\n    startWorkflowExecution(input: $input) { execution { id status context version currentStep { name type } contact { email } workflow { name } } }\n  }\n": types.StartExecutionDocument,
    "\n  mutation CancelExecution($input: CancelWorkflowExecutionInput!) { cancelWorkflowExecution(input: $input) { execution { status exitReason } } }\n": types.CancelExecutionDocument,
    "\n  mutation CancelExecutions($id: ID!) { cancelWorkflowExecutions(input: { workflowId: $id }) { cancelled workflow { id } } }\n": types.CancelExecutionsDocument,
    "\n  query ReadExecution($id: ID!, $workflow: ID!, $contact: ID!) {\n    workflowExecution(id: $id) {\n      status exitReason completedAt\n      stepExecutions { status input output branch attempts step { name type } }\n    }\n    node(id: $id) { __typename id }\n    workflow(id: $workflow) {\n      steps { name entered completed failed }\n      executions(filter: { statuses: [EXITED, FAILED] }) { totalCount edges { node { id } } }\n    }\n    contact(id: $contact) { executions { totalCount edges { node { id status workflow { name } } } } }\n  }\n": types.ReadExecutionDocument,
    "query EmailsOfSteps($id: ID!) {\n    workflowExecution(id: $id) { stepExecutions { email { to subject execution { id } } } }\n    emails(filter: { executionId: $id }) { totalCount nodes { subject } }\n  }": types.EmailsOfStepsDocument,
    "\n  query NestedExecutions($workflows: Int!, $first: Int, $last: Int, $after: String, $before: String, $filter: WorkflowExecutionFilter) {\n    workflows(first: $workflows) {\n      nodes {\n        name\n        executions(first: $first, last: $last, after: $after, before: $before, filter: $filter) {\n          totalCount\n          pageInfo { hasNextPage hasPreviousPage endCursor startCursor }\n          nodes { id status contact { id email } }\n        }\n      }\n    }\n  }\n": types.NestedExecutionsDocument,
    "\n  query ExecutionRelations {\n    activity(first: 10) { nodes { type execution { id workflow { name } } } }\n    emails(first: 2) { nodes { subject execution { id status workflow { name } contact { email } } } }\n    events(first: 10) { nodes { name execution { id } } }\n  }\n": types.ExecutionRelationsDocument,
    "query WorkflowFields($eventName: String) { workflowFields(eventName: $eventName, first: 100) { totalCount nodes { field type category } } }": types.WorkflowFieldsDocument,
    "\n  mutation MoveWorkflowSteps($input: MoveWorkflowStepsInput!) {\n    moveWorkflowSteps(input: $input) { workflow { id version steps { id position { x y } updatedAt } } }\n  }\n": types.MoveWorkflowStepsDocument,
    "mutation SpellStep($input: CreateWorkflowStepInput!) { createWorkflowStep(input: $input) { step { id config } } }": types.SpellStepDocument,
    "mutation RespellStep($input: UpdateWorkflowStepInput!) { updateWorkflowStep(input: $input) { step { config } } }": types.RespellStepDocument,
    "\n  mutation CreateWorkflow($input: CreateWorkflowInput!) {\n    createWorkflow(input: $input) { workflow { id name enabled triggerType triggerConfig { eventName } exitEvents version issues { code } } }\n  }\n": types.CreateWorkflowDocument,
    "\n  mutation UpdateWorkflow($input: UpdateWorkflowInput!) { updateWorkflow(input: $input) { workflow { id name enabled triggerType version } } }\n": types.UpdateWorkflowDocument,
    "mutation DuplicateWorkflow($id: ID!) { duplicateWorkflow(input: { id: $id }) { workflow { name enabled steps { type } } } }": types.DuplicateWorkflowDocument,
    "mutation DeleteWorkflow($id: ID!) { deleteWorkflow(input: { id: $id }) { deletedWorkflowId } }": types.DeleteWorkflowDocument,
    "\n  mutation AddStep($input: CreateWorkflowStepInput!) {\n    createWorkflowStep(input: $input) {\n      step { id type name position { x y } config template { name } }\n      workflow { issues { code stepId } steps { id } transitions { branch fromStepId toStepId from { id } } }\n    }\n  }\n": types.AddStepDocument,
    "\n  mutation ChangeStep($input: UpdateWorkflowStepInput!) {\n    updateWorkflowStep(input: $input) { step { id name config template { id } } workflow { version issues { code severity } } }\n  }\n": types.ChangeStepDocument,
    "\n  mutation RemoveStep($input: DeleteWorkflowStepInput!) { deleteWorkflowStep(input: $input) { deletedStepId workflow { steps { id } } } }\n": types.RemoveStepDocument,
    "\n  mutation Lead($input: CreateWorkflowTransitionInput!) {\n    createWorkflowTransition(input: $input) { created transition { id branch priority from { id } to { id workflow { name } } } workflow { id } }\n  }\n": types.LeadDocument,
    "\n  mutation Unlead($input: DeleteWorkflowTransitionInput!) { deleteWorkflowTransition(input: $input) { deletedTransitionId workflow { id } } }\n": types.UnleadDocument,
    "\n  query ReadWorkflow($id: ID!) {\n    workflow(id: $id) {\n      name description allowReentry\n      issues { code severity message stepId }\n      steps { id type name config template { name } }\n      transitions { branch fromStepId to { id } }\n    }\n    node(id: $id) { __typename id }\n  }\n": types.ReadWorkflowDocument,
    "\n  query ListWorkflows($filter: WorkflowFilter, $first: Int) {\n    workflows(filter: $filter, first: $first) { totalCount nodes { id name issues { code } steps { name } transitions { priority } } }\n  }\n": types.ListWorkflowsDocument,
    "mutation EnableBeyondTheLimit($id: ID!) { updateWorkflow(input: { id: $id, enabled: true }) { workflow { id } } }": types.EnableBeyondTheLimitDocument,
    "\n  query UsesInWorkflows($event: String!) {\n    contactFields(first: 50) { nodes { field usage { isUsed workflows(first: 5) { totalCount nodes { name } } } } }\n    eventUsage(name: $event) { isUsed workflows(first: 5) { nodes { id name } } }\n  }\n": types.UsesInWorkflowsDocument,
    "\n  query StepsOfTemplate($id: ID!) { template(id: $id) { workflowSteps(first: 5) { totalCount nodes { id name workflow { name } } } } }\n": types.StepsOfTemplateDocument,
    "mutation Upsert($input: UpsertContactInput!) { upsertContact(input: $input) { created contact { id email subscribed data createdAt } } }": types.UpsertDocument,
    "query GetContact($id: ID!) { contact(id: $id) { id email } }": types.GetContactDocument,
    "query GetNode($id: ID!) { node(id: $id) { __typename id } }": types.GetNodeDocument,
    "\n  query ListContacts($first: Int, $after: String, $last: Int, $before: String, $filter: ContactFilter) {\n    contacts(first: $first, after: $after, last: $last, before: $before, filter: $filter) {\n      totalCount\n      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n      nodes { email }\n    }\n  }\n": types.ListContactsDocument,
    "\n  mutation Send($input: SendEmailInput!) {\n    sendEmail(input: $input) { replayed emails { contact { email subscribed } email { id status subject source contact { id } events { name } } } }\n  }\n": types.SendDocument,
    "mutation Track($input: TrackEventInput!) { trackEvent(input: $input) { contact { email } event { id name data } } }": types.TrackDocument,
    "\n  query Everything {\n    contacts { nodes { email emails(first: 2) { totalCount nodes { subject contact { email } } } events(first: 2) { totalCount edges { cursor node { name email { id } contact { email } } } } } }\n  }\n": types.EverythingDocument,
    "mutation CreateTemplate($input: CreateTemplateInput!) { createTemplate(input: $input) { template { id name type usage { emailsSent } } } }": types.CreateTemplateDocument,
    "mutation UpdateTemplate($input: UpdateTemplateInput!) { updateTemplate(input: $input) { template { description subject } } }": types.UpdateTemplateDocument,
    "mutation DeleteContact($id: ID!) { deleteContact(input: { id: $id }) { deletedContactId } }": types.DeleteContactDocument,
    "mutation RegenerateKeys { regenerateKeys { keys { publicKey secretKey } } }": types.RegenerateKeysDocument,
    "\n  query Lists($contacts: ContactFilter, $events: EventFilter, $activity: ActivityFilter, $templates: TemplateFilter) {\n    contacts(filter: $contacts) { totalCount nodes { id } }\n    events(filter: $events) { totalCount nodes { id } }\n    activity(filter: $activity) { totalCount nodes { id } }\n    templates(filter: $templates) { totalCount nodes { id } }\n  }\n": types.ListsDocument,
    "query Emails($filter: EmailFilter) { emails(filter: $filter) { totalCount nodes { id subject } } }": types.EmailsDocument,
    "\n  query EventsOf($first: Int, $after: String) {\n    contacts { nodes { events(first: $first, after: $after) { totalCount pageInfo { hasNextPage endCursor } nodes { name } } } }\n  }\n": types.EventsOfDocument,
    "\n  mutation InviteMember($input: InviteMemberInput!) { inviteMember(input: $input) { invitation { id email role } invitationUrl } }\n": types.InviteMemberDocument,
    "mutation UpdateMember($input: UpdateMemberInput!) { updateMember(input: $input) { member { userId role } } }": types.UpdateMemberDocument,
    "mutation RemoveMember($input: RemoveMemberInput!) { removeMember(input: $input) { removedUserId } }": types.RemoveMemberDocument,
    "mutation RevokeInvitation($input: RevokeInvitationInput!) { revokeInvitation(input: $input) { revokedInvitationId } }": types.RevokeInvitationDocument,
    "\n  query Members($first: Int, $after: String) {\n    project {\n      members(first: $first, after: $after) { totalCount nodes { email } pageInfo { hasNextPage endCursor } }\n      invitations { email }\n    }\n  }\n": types.MembersDocument,
    "query Domains($first: Int, $after: String) { domains(first: $first, after: $after) { totalCount nodes { domain } pageInfo { hasNextPage endCursor } } }": types.DomainsDocument,
    "query MyProjects($last: Int) { viewer { projects(last: $last) { totalCount nodes { name } pageInfo { hasPreviousPage } } } }": types.MyProjectsDocument,
    "mutation SendOne($input: SendEmailInput!) { sendEmail(input: $input) { emails { email { subject } } } }": types.SendOneDocument,
    "\n  query Feed($first: Int) {\n    activity(first: $first) {\n      nodes {\n        type\n        contactId\n        contact { email subscribed }\n        email { subject template { name } contact { email } }\n        event { name contact { email } email { status template { name } } }\n      }\n    }\n  }\n": types.FeedDocument,
    "\n  query EmailsWithRelations($first: Int) {\n    emails(first: $first) { nodes { template { name usage { emailsSent } } contact { email } events { name contact { email } email { id } } } }\n  }\n": types.EmailsWithRelationsDocument,
    "query Log($first: Int) { events(first: $first) { nodes { name contactId contact { email } emailId email { to template { name } } } } }": types.LogDocument,
    "\n  mutation SendToMany($input: SendEmailInput!) {\n    sendEmail(input: $input) { emails { contactId contact { email } emailId email { status template { name } } } }\n  }\n": types.SendToManyDocument,
    "\n  query ReadConfig {\n    config {\n      environment apiUrl dashboardUrl billingEnabled signupsEnabled verificationRequired accountEmailsEnabled oauthProviders\n      maxAttachmentBytes maxImageBytes maxImportBytes\n    }\n  }\n": types.ReadConfigDocument,
    "query ReadInvitation($token: String!) { invitation(token: $token) { projectName email role hasAccount } }": types.ReadInvitationDocument,
    "\n  mutation AcceptInvitation($input: AcceptInvitationInput!) {\n    acceptInvitation(input: $input) { user { email } project { id name role webhookSecret } }\n  }\n": types.AcceptInvitationDocument,
    "mutation JoinProject($input: JoinProjectInput!) { joinProject(input: $input) { project { id role } } }": types.JoinProjectDocument,
    "\n  query UsesOfSegments {\n    segments {\n      nodes {\n        name\n        usage { canDelete segments { nodes { name } } campaigns { totalCount nodes { name } } workflows { nodes { name } } }\n      }\n    }\n  }\n": types.UsesOfSegmentsDocument,
    "\n  query UsesOfDomains { domains { nodes { domain usage { canDelete templates { totalCount nodes { name } } campaigns { nodes { name } } } } } }\n": types.UsesOfDomainsDocument,
};

/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query EmailTimelines {\n    emails(first: 20) { nodes { events { id } timeline { id event { id } type timestamp reason bounceType link machine machineReason } } }\n  }\n"): typeof import('./graphql.ts').EmailTimelinesDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query EndOfTimeline { emails(first: 1) { nodes { opens events { name } timeline { type } eventsOmitted } } }"): typeof import('./graphql.ts').EndOfTimelineDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query MetadataOfActivity { activity(first: 20) { nodes { type metadata } } }"): typeof import('./graphql.ts').MetadataOfActivityDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Upcoming($limit: Int, $daysAhead: Int) {\n    upcomingActivity(limit: $limit, daysAhead: $daysAhead) {\n      id type timestamp\n      campaign { id name }\n      execution { id status workflow { name } currentStep { name } contact { email } }\n      contact { email }\n    }\n  }\n"): typeof import('./graphql.ts').UpcomingDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query TopCampaigns($limit: Int, $metric: CampaignMetric, $startDate: Date, $endDate: Date, $timezone: String) {\n    topCampaigns(limit: $limit, metric: $metric, startDate: $startDate, endDate: $endDate, timezone: $timezone) { id name stats { sentCount openRate machineOpens } }\n  }\n"): typeof import('./graphql.ts').TopCampaignsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query CampaignSummary {\n    campaignSummary { total active completed averageOpenRate averageClickRate campaigns { id status stats { clickRate } } }\n  }\n"): typeof import('./graphql.ts').CampaignSummaryDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query TopEvents($limit: Int, $startDate: Date, $endDate: Date, $tracked: Boolean) {\n    topEvents(limit: $limit, startDate: $startDate, endDate: $endDate, tracked: $tracked) { name count trend }\n  }\n"): typeof import('./graphql.ts').TopEventsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Series($startDate: Date, $endDate: Date, $timezone: String, $interval: TimeseriesInterval) {\n    timeseries(startDate: $startDate, endDate: $endDate, timezone: $timezone, interval: $interval) {\n      start day sent delivered opened clicked bounced machineOpened machineClicked complained failed unsubscribed\n    }\n  }\n"): typeof import('./graphql.ts').SeriesDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query EmailTotals($startDate: Date, $endDate: Date, $timezone: String) {\n    emailTotals(startDate: $startDate, endDate: $endDate, timezone: $timezone) {\n      startDate endDate sent delivered opened clicked bounced complained failed unsubscribed\n      deliveryRate openRate clickRate bounceRate complaintRate\n      previous { startDate endDate sent openRate }\n    }\n  }\n"): typeof import('./graphql.ts').EmailTotalsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query EventCounts($startDate: Date, $endDate: Date) { eventCounts(startDate: $startDate, endDate: $endDate) { name count } }"): typeof import('./graphql.ts').EventCountsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query ActivityStats($startDate: Date, $endDate: Date) { activityStats(startDate: $startDate, endDate: $endDate) { totalEvents } }"): typeof import('./graphql.ts').ActivityStatsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query CapsOfProject {\n    project {\n      billingLimits {\n        freeAllowance { category limit usage remaining isBlocked }\n        transactional { category limit usage remaining }\n        campaigns { category limit usage remaining }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').CapsOfProjectDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation SetCaps($input: UpdateBillingLimitsInput!) {\n    updateBillingLimits(input: $input) { billingLimits { transactional { limit remaining } campaigns { limit } freeAllowance { limit } } }\n  }\n"): typeof import('./graphql.ts').SetCapsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query AudiencePreview($input: AudiencePreviewInput!) {\n    audiencePreview(input: $input) { recipients excluded { reason count } }\n  }\n"): typeof import('./graphql.ts').AudiencePreviewDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation PatchCampaign($input: UpdateCampaignInput!) {\n    updateCampaign(input: $input) { campaign { name description subject previewText from replyTo type maxPerHour updatedAt } }\n  }\n"): typeof import('./graphql.ts').PatchCampaignDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n    mutation ScheduleCampaign($input: SendCampaignInput!) { sendCampaign(input: $input) { campaign { status scheduledAt } } }\n  "): typeof import('./graphql.ts').ScheduleCampaignDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query CampaignsInStates($filter: CampaignFilter) { campaigns(filter: $filter) { totalCount nodes { id } } }"): typeof import('./graphql.ts').CampaignsInStatesDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "mutation SendTemplateTest($input: SendTemplateTestInput!) { sendTemplateTest(input: $input) { message } }"): typeof import('./graphql.ts').SendTemplateTestDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query CampaignLinks($id: ID!) { campaign(id: $id) { sentAt finishedAt links { url clicks uniqueClicks machineClicks } } }\n"): typeof import('./graphql.ts').CampaignLinksDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query LinksOfCampaigns { campaigns(first: 3) { nodes { links { url } } } }"): typeof import('./graphql.ts').LinksOfCampaignsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query PreviewEmail($input: PreviewEmailInput!) {\n    previewEmail(input: $input) { subject previewText html text from fromName replyTo missing links sizeBytes }\n  }\n"): typeof import('./graphql.ts').PreviewEmailDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query RecipientsBy($id: ID!, $filter: CampaignRecipientFilter) {\n    campaign(id: $id) { recipients(first: 5, filter: $filter) { totalCount nodes { address } } }\n  }\n"): typeof import('./graphql.ts').RecipientsByDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "mutation CreateCampaign($input: CreateCampaignInput!) {\n    createCampaign(input: $input) { campaign { id condition audiencePreview { recipients excluded { reason count } } } }\n  }"): typeof import('./graphql.ts').CreateCampaignDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CreateVisualCampaign($input: CreateCampaignInput!) {\n    createCampaign(input: $input) { campaign { id mode body document updatedAt } }\n  }\n"): typeof import('./graphql.ts').CreateVisualCampaignDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UpdateVisualCampaign($input: UpdateCampaignInput!) {\n    updateCampaign(input: $input) { campaign { mode body document } }\n  }\n"): typeof import('./graphql.ts').UpdateVisualCampaignDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query PreviewOfCampaign($input: PreviewEmailInput!) { previewEmail(input: $input) { subject text } }"): typeof import('./graphql.ts').PreviewOfCampaignDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query WhatBecame($id: ID!) {\n    campaign(id: $id) { stats { totalRecipients sentCount failedCount suppressedCount waitingCount cancelledCount } }\n  }\n"): typeof import('./graphql.ts').WhatBecameDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query PeopleOfFilter($filter: ContactFilter, $orderBy: ContactOrder, $first: Int, $after: String, $last: Int) {\n    contacts(filter: $filter, orderBy: $orderBy, first: $first, after: $after, last: $last) {\n      totalCount pageInfo { hasNextPage endCursor } nodes { email }\n    }\n  }\n"): typeof import('./graphql.ts').PeopleOfFilterDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query PeopleOfSegment($id: ID!, $filter: ContactFilter) {\n    segment(id: $id) { contacts(filter: $filter) { totalCount nodes { email } } }\n  }\n"): typeof import('./graphql.ts').PeopleOfSegmentDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "mutation UnsubscribeMany($filter: ContactFilter) { bulkUnsubscribeContacts(input: { filter: $filter }) { jobId } }"): typeof import('./graphql.ts').UnsubscribeManyDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "mutation DeleteMany($filter: ContactFilter) { bulkDeleteContacts(input: { filter: $filter }) { jobId } }"): typeof import('./graphql.ts').DeleteManyDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "mutation BulkDelete($input: BulkDeleteContactsInput!) { bulkDeleteContacts(input: $input) { jobId } }"): typeof import('./graphql.ts').BulkDeleteDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query BulkJob($id: ID!) { job(id: $id) { bulkResult { totalRequested successCount failureCount errors { contactId } errorsOmitted } } }"): typeof import('./graphql.ts').BulkJobDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n    mutation DeleteField($input: DeleteContactFieldInput!) { deleteContactField(input: $input) { deletedField contactCount } }\n  "): typeof import('./graphql.ts').DeleteFieldDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n    query Fields { contactFields { totalCount nodes { field type isCustom coverage contactCount } } }\n  "): typeof import('./graphql.ts').FieldsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n    query Operators { contactFields { nodes { field operators } } workflowFields { nodes { field operators } } }\n  "): typeof import('./graphql.ts').OperatorsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n    query FieldPage($first: Int, $after: String, $last: Int, $before: String) {\n      contactFields(first: $first, after: $after, last: $last, before: $before) {\n        nodes { field usage { isUsed } } pageInfo { hasNextPage endCursor startCursor }\n      }\n    }\n  "): typeof import('./graphql.ts').FieldPageDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query FieldUses { contactFields(first: 50) { nodes { field usage { isUsed segments(first: 5) { totalCount nodes { name } } } } } }"): typeof import('./graphql.ts').FieldUsesDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query FieldUseCounts { contactFields { nodes { field usage { segments { totalCount } } } } }"): typeof import('./graphql.ts').FieldUseCountsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n    query Values($field: String!, $limit: Int) { contactFieldValues(field: $field, limit: $limit) }\n  "): typeof import('./graphql.ts').ValuesDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query CheckImport($content: String!) {\n    checkImport(content: $content) { rows new existing fields { name type isNew } errors { row email error } errorsOmitted }\n  }\n"): typeof import('./graphql.ts').CheckImportDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "mutation ImportContacts($content: String!) { importContacts(input: { content: $content }) { jobId job { id kind state } } }"): typeof import('./graphql.ts').ImportContactsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query ImportResult($id: ID!) { job(id: $id) { state importResult { totalRows createdCount updatedCount failureCount } } }"): typeof import('./graphql.ts').ImportResultDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ImportSuppressions($input: ImportSuppressionsInput!) {\n    importSuppressions(input: $input) { added alreadyThere errors { row email error } errorsOmitted }\n  }\n"): typeof import('./graphql.ts').ImportSuppressionsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n    query Lookup($emails: [String!]!) {\n      contactLookup(emails: $emails) { found { email contact { id } } notFound }\n    }\n  "): typeof import('./graphql.ts').LookupDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n    query Ordered($orderBy: ContactOrder, $first: Int, $after: String, $last: Int, $before: String) {\n      contacts(orderBy: $orderBy, first: $first, after: $after, last: $last, before: $before) {\n        nodes { email }\n        pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n      }\n    }\n  "): typeof import('./graphql.ts').OrderedDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "mutation ChangeContact($input: UpdateContactInput!) { updateContact(input: $input) { contact { id email subscribed data } } }"): typeof import('./graphql.ts').ChangeContactDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query FilteredEmails($filter: EmailFilter) { emails(filter: $filter) { totalCount nodes { id } } }\n"): typeof import('./graphql.ts').FilteredEmailsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n    query RareEmails($after: String) {\n      emails(filter: { sources: [TRANSACTIONAL] }, first: 5, after: $after) { nodes { id } pageInfo { hasNextPage endCursor } }\n    }\n  "): typeof import('./graphql.ts').RareEmailsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query EmailParts($first: Int) {\n    emails(first: $first) {\n      nodes {\n        from fromName replyTo type tags cc { email name } bcc { email name }\n        message { html text headers { name value } attachments { filename contentType size } }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').EmailPartsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query UsageOfEvent($name: String!) {\n    eventUsage(name: $name) { name totalCount uniqueContacts isUsed segments(first: 5) { totalCount nodes { name } } campaigns(first: 5) { totalCount nodes { name } } }\n  }\n"): typeof import('./graphql.ts').UsageOfEventDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Jobs($first: Int, $after: String, $last: Int, $before: String, $filter: JobFilter) {\n    jobs(first: $first, after: $after, last: $last, before: $before, filter: $filter) {\n      totalCount\n      pageInfo { hasNextPage hasPreviousPage endCursor startCursor }\n      nodes { id kind state progress importResult { totalRows } bulkResult { totalRequested } }\n    }\n  }\n"): typeof import('./graphql.ts').JobsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query WorkOfJobs { jobs { nodes { operation done total } } }"): typeof import('./graphql.ts').WorkOfJobsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "mutation CreateCounted($input: CreateSegmentInput!) { createSegment(input: $input) { segment { id memberCount countedAt } } }"): typeof import('./graphql.ts').CreateCountedDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "mutation ChangeCounted($input: UpdateSegmentInput!) { updateSegment(input: $input) { segment { memberCount countedAt } } }"): typeof import('./graphql.ts').ChangeCountedDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "mutation CountAgain($id: ID!) { refreshSegment(input: { id: $id }) { segment { memberCount countedAt updatedAt } } }"): typeof import('./graphql.ts').CountAgainDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "mutation ComputeCounted($id: ID!) { computeSegment(input: { id: $id }) { segment { memberCount countedAt } } }"): typeof import('./graphql.ts').ComputeCountedDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query EventsOfSegment($id: ID!) { segment(id: $id) { entryEvent exitEvent } }"): typeof import('./graphql.ts').EventsOfSegmentDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "mutation CreateSegment($input: CreateSegmentInput!) { createSegment(input: $input) { segment { id name type condition trackMembership memberCount description } } }"): typeof import('./graphql.ts').CreateSegmentDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "mutation UpdateSegment($input: UpdateSegmentInput!) { updateSegment(input: $input) { segment { id name condition memberCount updatedAt } } }"): typeof import('./graphql.ts').UpdateSegmentDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "mutation DeleteSegment($id: ID!) { deleteSegment(input: { id: $id }) { deletedSegmentId } }"): typeof import('./graphql.ts').DeleteSegmentDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "mutation AddMembers($input: AddSegmentMembersInput!) { addSegmentMembers(input: $input) { added created alreadyMembers notFound segment { memberCount } } }"): typeof import('./graphql.ts').AddMembersDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "mutation RemoveMembers($input: RemoveSegmentMembersInput!) { removeSegmentMembers(input: $input) { removed segment { memberCount } } }"): typeof import('./graphql.ts').RemoveMembersDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "mutation ComputeSegment($id: ID!) { computeSegment(input: { id: $id }) { added removed total segment { memberCount } } refreshSegment(input: { id: $id }) { segment { memberCount } } }"): typeof import('./graphql.ts').ComputeSegmentDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query ReadCondition($id: ID!) { segment(id: $id) { condition } }"): typeof import('./graphql.ts').ReadConditionDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query GetSegment($id: ID!, $contactId: ID!) {\n    segment(id: $id) { name issues { path message } explanation(contactId: $contactId) { matches leaves { path field operator value unit actual matches } } }\n    node(id: $id) { __typename id }\n  }\n"): typeof import('./graphql.ts').GetSegmentDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ContactsOfSegment($id: ID!, $first: Int, $after: String, $last: Int, $before: String) {\n    segment(id: $id) {\n      contacts(first: $first, after: $after, last: $last, before: $before) {\n        totalCount pageInfo { hasNextPage hasPreviousPage startCursor endCursor } nodes { email events(first: 1) { nodes { name } } }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').ContactsOfSegmentDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query SegmentsOf { contacts { nodes { email segments(first: 5) { totalCount nodes { name memberCount } } } } }"): typeof import('./graphql.ts').SegmentsOfDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query ListSegments { segments(first: 2) { totalCount nodes { name contacts(first: 1) { nodes { email } } } } }"): typeof import('./graphql.ts').ListSegmentsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n    query ExplainCondition($condition: ConditionInput!, $contactId: ID!) {\n      conditionExplanation(condition: $condition, contactId: $contactId) { matches leaves { path field operator actual matches } }\n    }\n  "): typeof import('./graphql.ts').ExplainConditionDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query SegmentsOfEach { contacts { nodes { email segments(first: 5) { totalCount nodes { name } } } } }"): typeof import('./graphql.ts').SegmentsOfEachDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query SegmentUses($id: ID!) { segment(id: $id) { usage { canDelete campaigns { totalCount nodes { id status } } } } }\n"): typeof import('./graphql.ts').SegmentUsesDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n      mutation Suppress($input: SuppressAddressesInput!) { suppressAddresses(input: $input) { added alreadyThere suppressions { email reason } } }\n    "): typeof import('./graphql.ts').SuppressDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n      query Suppressed($id: ID!, $filter: SuppressionFilter, $after: String) {\n        contact(id: $id) { suppression { reason } }\n        contacts(orderBy: { by: EMAIL }) { nodes { suppression { email } } }\n        suppressions(filter: $filter, first: 1, after: $after) {\n          totalCount\n          nodes { email reason source emailId since contact { id } causedBy { id } }\n          pageInfo { hasNextPage endCursor }\n        }\n      }\n    "): typeof import('./graphql.ts').SuppressedDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n      mutation Unsuppress($input: DeleteSuppressionInput!) { deleteSuppression(input: $input) { deletedEmail } }\n    "): typeof import('./graphql.ts').UnsuppressDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ExecutionCounts($id: ID!) {\n    workflow(id: $id) {\n      executionCounts { running waiting completed exited failed cancelled }\n      steps { name active entered }\n    }\n  }\n"): typeof import('./graphql.ts').ExecutionCountsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query CountsOfWorkflows { workflows(first: 5) { nodes { executionCounts { running } steps { active } } } }"): typeof import('./graphql.ts').CountsOfWorkflowsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query GraphsOfExecutions($id: ID!) {\n    workflow(id: $id) {\n      executions { nodes { version graph { steps { id name type } transitions { fromStepId toStepId branch name } } } }\n    }\n  }\n"): typeof import('./graphql.ts').GraphsOfExecutionsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation StartExecution($input: StartWorkflowExecutionInput!) {\n    startWorkflowExecution(input: $input) { execution { id status context version currentStep { name type } contact { email } workflow { name } } }\n  }\n"): typeof import('./graphql.ts').StartExecutionDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CancelExecution($input: CancelWorkflowExecutionInput!) { cancelWorkflowExecution(input: $input) { execution { status exitReason } } }\n"): typeof import('./graphql.ts').CancelExecutionDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CancelExecutions($id: ID!) { cancelWorkflowExecutions(input: { workflowId: $id }) { cancelled workflow { id } } }\n"): typeof import('./graphql.ts').CancelExecutionsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ReadExecution($id: ID!, $workflow: ID!, $contact: ID!) {\n    workflowExecution(id: $id) {\n      status exitReason completedAt\n      stepExecutions { status input output branch attempts step { name type } }\n    }\n    node(id: $id) { __typename id }\n    workflow(id: $workflow) {\n      steps { name entered completed failed }\n      executions(filter: { statuses: [EXITED, FAILED] }) { totalCount edges { node { id } } }\n    }\n    contact(id: $contact) { executions { totalCount edges { node { id status workflow { name } } } } }\n  }\n"): typeof import('./graphql.ts').ReadExecutionDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query EmailsOfSteps($id: ID!) {\n    workflowExecution(id: $id) { stepExecutions { email { to subject execution { id } } } }\n    emails(filter: { executionId: $id }) { totalCount nodes { subject } }\n  }"): typeof import('./graphql.ts').EmailsOfStepsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query NestedExecutions($workflows: Int!, $first: Int, $last: Int, $after: String, $before: String, $filter: WorkflowExecutionFilter) {\n    workflows(first: $workflows) {\n      nodes {\n        name\n        executions(first: $first, last: $last, after: $after, before: $before, filter: $filter) {\n          totalCount\n          pageInfo { hasNextPage hasPreviousPage endCursor startCursor }\n          nodes { id status contact { id email } }\n        }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').NestedExecutionsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ExecutionRelations {\n    activity(first: 10) { nodes { type execution { id workflow { name } } } }\n    emails(first: 2) { nodes { subject execution { id status workflow { name } contact { email } } } }\n    events(first: 10) { nodes { name execution { id } } }\n  }\n"): typeof import('./graphql.ts').ExecutionRelationsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query WorkflowFields($eventName: String) { workflowFields(eventName: $eventName, first: 100) { totalCount nodes { field type category } } }"): typeof import('./graphql.ts').WorkflowFieldsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation MoveWorkflowSteps($input: MoveWorkflowStepsInput!) {\n    moveWorkflowSteps(input: $input) { workflow { id version steps { id position { x y } updatedAt } } }\n  }\n"): typeof import('./graphql.ts').MoveWorkflowStepsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "mutation SpellStep($input: CreateWorkflowStepInput!) { createWorkflowStep(input: $input) { step { id config } } }"): typeof import('./graphql.ts').SpellStepDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "mutation RespellStep($input: UpdateWorkflowStepInput!) { updateWorkflowStep(input: $input) { step { config } } }"): typeof import('./graphql.ts').RespellStepDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CreateWorkflow($input: CreateWorkflowInput!) {\n    createWorkflow(input: $input) { workflow { id name enabled triggerType triggerConfig { eventName } exitEvents version issues { code } } }\n  }\n"): typeof import('./graphql.ts').CreateWorkflowDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UpdateWorkflow($input: UpdateWorkflowInput!) { updateWorkflow(input: $input) { workflow { id name enabled triggerType version } } }\n"): typeof import('./graphql.ts').UpdateWorkflowDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "mutation DuplicateWorkflow($id: ID!) { duplicateWorkflow(input: { id: $id }) { workflow { name enabled steps { type } } } }"): typeof import('./graphql.ts').DuplicateWorkflowDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "mutation DeleteWorkflow($id: ID!) { deleteWorkflow(input: { id: $id }) { deletedWorkflowId } }"): typeof import('./graphql.ts').DeleteWorkflowDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation AddStep($input: CreateWorkflowStepInput!) {\n    createWorkflowStep(input: $input) {\n      step { id type name position { x y } config template { name } }\n      workflow { issues { code stepId } steps { id } transitions { branch fromStepId toStepId from { id } } }\n    }\n  }\n"): typeof import('./graphql.ts').AddStepDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ChangeStep($input: UpdateWorkflowStepInput!) {\n    updateWorkflowStep(input: $input) { step { id name config template { id } } workflow { version issues { code severity } } }\n  }\n"): typeof import('./graphql.ts').ChangeStepDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation RemoveStep($input: DeleteWorkflowStepInput!) { deleteWorkflowStep(input: $input) { deletedStepId workflow { steps { id } } } }\n"): typeof import('./graphql.ts').RemoveStepDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation Lead($input: CreateWorkflowTransitionInput!) {\n    createWorkflowTransition(input: $input) { created transition { id branch priority from { id } to { id workflow { name } } } workflow { id } }\n  }\n"): typeof import('./graphql.ts').LeadDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation Unlead($input: DeleteWorkflowTransitionInput!) { deleteWorkflowTransition(input: $input) { deletedTransitionId workflow { id } } }\n"): typeof import('./graphql.ts').UnleadDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ReadWorkflow($id: ID!) {\n    workflow(id: $id) {\n      name description allowReentry\n      issues { code severity message stepId }\n      steps { id type name config template { name } }\n      transitions { branch fromStepId to { id } }\n    }\n    node(id: $id) { __typename id }\n  }\n"): typeof import('./graphql.ts').ReadWorkflowDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ListWorkflows($filter: WorkflowFilter, $first: Int) {\n    workflows(filter: $filter, first: $first) { totalCount nodes { id name issues { code } steps { name } transitions { priority } } }\n  }\n"): typeof import('./graphql.ts').ListWorkflowsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "mutation EnableBeyondTheLimit($id: ID!) { updateWorkflow(input: { id: $id, enabled: true }) { workflow { id } } }"): typeof import('./graphql.ts').EnableBeyondTheLimitDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query UsesInWorkflows($event: String!) {\n    contactFields(first: 50) { nodes { field usage { isUsed workflows(first: 5) { totalCount nodes { name } } } } }\n    eventUsage(name: $event) { isUsed workflows(first: 5) { nodes { id name } } }\n  }\n"): typeof import('./graphql.ts').UsesInWorkflowsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query StepsOfTemplate($id: ID!) { template(id: $id) { workflowSteps(first: 5) { totalCount nodes { id name workflow { name } } } } }\n"): typeof import('./graphql.ts').StepsOfTemplateDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "mutation Upsert($input: UpsertContactInput!) { upsertContact(input: $input) { created contact { id email subscribed data createdAt } } }"): typeof import('./graphql.ts').UpsertDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query GetContact($id: ID!) { contact(id: $id) { id email } }"): typeof import('./graphql.ts').GetContactDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query GetNode($id: ID!) { node(id: $id) { __typename id } }"): typeof import('./graphql.ts').GetNodeDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ListContacts($first: Int, $after: String, $last: Int, $before: String, $filter: ContactFilter) {\n    contacts(first: $first, after: $after, last: $last, before: $before, filter: $filter) {\n      totalCount\n      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n      nodes { email }\n    }\n  }\n"): typeof import('./graphql.ts').ListContactsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation Send($input: SendEmailInput!) {\n    sendEmail(input: $input) { replayed emails { contact { email subscribed } email { id status subject source contact { id } events { name } } } }\n  }\n"): typeof import('./graphql.ts').SendDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "mutation Track($input: TrackEventInput!) { trackEvent(input: $input) { contact { email } event { id name data } } }"): typeof import('./graphql.ts').TrackDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Everything {\n    contacts { nodes { email emails(first: 2) { totalCount nodes { subject contact { email } } } events(first: 2) { totalCount edges { cursor node { name email { id } contact { email } } } } } }\n  }\n"): typeof import('./graphql.ts').EverythingDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "mutation CreateTemplate($input: CreateTemplateInput!) { createTemplate(input: $input) { template { id name type usage { emailsSent } } } }"): typeof import('./graphql.ts').CreateTemplateDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "mutation UpdateTemplate($input: UpdateTemplateInput!) { updateTemplate(input: $input) { template { description subject } } }"): typeof import('./graphql.ts').UpdateTemplateDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "mutation DeleteContact($id: ID!) { deleteContact(input: { id: $id }) { deletedContactId } }"): typeof import('./graphql.ts').DeleteContactDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "mutation RegenerateKeys { regenerateKeys { keys { publicKey secretKey } } }"): typeof import('./graphql.ts').RegenerateKeysDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Lists($contacts: ContactFilter, $events: EventFilter, $activity: ActivityFilter, $templates: TemplateFilter) {\n    contacts(filter: $contacts) { totalCount nodes { id } }\n    events(filter: $events) { totalCount nodes { id } }\n    activity(filter: $activity) { totalCount nodes { id } }\n    templates(filter: $templates) { totalCount nodes { id } }\n  }\n"): typeof import('./graphql.ts').ListsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query Emails($filter: EmailFilter) { emails(filter: $filter) { totalCount nodes { id subject } } }"): typeof import('./graphql.ts').EmailsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query EventsOf($first: Int, $after: String) {\n    contacts { nodes { events(first: $first, after: $after) { totalCount pageInfo { hasNextPage endCursor } nodes { name } } } }\n  }\n"): typeof import('./graphql.ts').EventsOfDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation InviteMember($input: InviteMemberInput!) { inviteMember(input: $input) { invitation { id email role } invitationUrl } }\n"): typeof import('./graphql.ts').InviteMemberDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "mutation UpdateMember($input: UpdateMemberInput!) { updateMember(input: $input) { member { userId role } } }"): typeof import('./graphql.ts').UpdateMemberDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "mutation RemoveMember($input: RemoveMemberInput!) { removeMember(input: $input) { removedUserId } }"): typeof import('./graphql.ts').RemoveMemberDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "mutation RevokeInvitation($input: RevokeInvitationInput!) { revokeInvitation(input: $input) { revokedInvitationId } }"): typeof import('./graphql.ts').RevokeInvitationDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Members($first: Int, $after: String) {\n    project {\n      members(first: $first, after: $after) { totalCount nodes { email } pageInfo { hasNextPage endCursor } }\n      invitations { email }\n    }\n  }\n"): typeof import('./graphql.ts').MembersDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query Domains($first: Int, $after: String) { domains(first: $first, after: $after) { totalCount nodes { domain } pageInfo { hasNextPage endCursor } } }"): typeof import('./graphql.ts').DomainsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query MyProjects($last: Int) { viewer { projects(last: $last) { totalCount nodes { name } pageInfo { hasPreviousPage } } } }"): typeof import('./graphql.ts').MyProjectsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "mutation SendOne($input: SendEmailInput!) { sendEmail(input: $input) { emails { email { subject } } } }"): typeof import('./graphql.ts').SendOneDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Feed($first: Int) {\n    activity(first: $first) {\n      nodes {\n        type\n        contactId\n        contact { email subscribed }\n        email { subject template { name } contact { email } }\n        event { name contact { email } email { status template { name } } }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').FeedDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query EmailsWithRelations($first: Int) {\n    emails(first: $first) { nodes { template { name usage { emailsSent } } contact { email } events { name contact { email } email { id } } } }\n  }\n"): typeof import('./graphql.ts').EmailsWithRelationsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query Log($first: Int) { events(first: $first) { nodes { name contactId contact { email } emailId email { to template { name } } } } }"): typeof import('./graphql.ts').LogDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation SendToMany($input: SendEmailInput!) {\n    sendEmail(input: $input) { emails { contactId contact { email } emailId email { status template { name } } } }\n  }\n"): typeof import('./graphql.ts').SendToManyDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ReadConfig {\n    config {\n      environment apiUrl dashboardUrl billingEnabled signupsEnabled verificationRequired accountEmailsEnabled oauthProviders\n      maxAttachmentBytes maxImageBytes maxImportBytes\n    }\n  }\n"): typeof import('./graphql.ts').ReadConfigDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query ReadInvitation($token: String!) { invitation(token: $token) { projectName email role hasAccount } }"): typeof import('./graphql.ts').ReadInvitationDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation AcceptInvitation($input: AcceptInvitationInput!) {\n    acceptInvitation(input: $input) { user { email } project { id name role webhookSecret } }\n  }\n"): typeof import('./graphql.ts').AcceptInvitationDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "mutation JoinProject($input: JoinProjectInput!) { joinProject(input: $input) { project { id role } } }"): typeof import('./graphql.ts').JoinProjectDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query UsesOfSegments {\n    segments {\n      nodes {\n        name\n        usage { canDelete segments { nodes { name } } campaigns { totalCount nodes { name } } workflows { nodes { name } } }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').UsesOfSegmentsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query UsesOfDomains { domains { nodes { domain usage { canDelete templates { totalCount nodes { name } } campaigns { nodes { name } } } } } }\n"): typeof import('./graphql.ts').UsesOfDomainsDocument;


export function graphql(source: string) {
  return (documents as any)[source] ?? {};
}
