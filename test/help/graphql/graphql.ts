/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** What `acceptInvitation` takes. */
export type AcceptInvitationInput = {
  /** Required unless the person invited is signed in: the password of their account, or of the account to create (8 to 200 characters). */
  password?: string | null | undefined;
  /** The token from the link in the email. */
  token: string;
};

/** Which activity a list holds: all conditions apply. */
export type ActivityFilter = {
  /** Only what happened to this campaign and to its emails. While much else has happened since, a page may be shorter than asked for. */
  campaignId?: string | null | undefined;
  /** Only what happened to this contact. */
  contactId?: string | null | undefined;
  /** Only what happened at or after this moment. */
  from?: string | null | undefined;
  /** Only what happened before this moment. */
  to?: string | null | undefined;
  /** Only these types. */
  types?: Array<ActivityType> | null | undefined;
};

/** What kind of thing happened. */
export type ActivityType =
  /** A campaign was scheduled. */
  | 'CAMPAIGN_SCHEDULED'
  /** A campaign was sent. */
  | 'CAMPAIGN_SENT'
  /** A contact was subscribed to marketing email. */
  | 'CONTACT_SUBSCRIBED'
  /** A contact was unsubscribed from marketing email. */
  | 'CONTACT_UNSUBSCRIBED'
  /** The address refused an email. */
  | 'EMAIL_BOUNCED'
  /** A link in an email was clicked. */
  | 'EMAIL_CLICKED'
  /** The recipient reported an email as spam. */
  | 'EMAIL_COMPLAINT'
  /** A copy (cc, bcc) of an email was refused by the mail server, or withheld; the email itself may have been sent. */
  | 'EMAIL_COPY_FAILED'
  /** An email is known to have reached the mailbox. */
  | 'EMAIL_DELIVERED'
  /** An email could not be sent. */
  | 'EMAIL_FAILED'
  /** An email was opened. */
  | 'EMAIL_OPENED'
  /** An email to a domain of the project came in. */
  | 'EMAIL_RECEIVED'
  /** A mail server accepted an email. */
  | 'EMAIL_SENT'
  /** A tracked event, or an event of the platform that has no type of its own; `metadata.eventName` is its name. */
  | 'EVENT_TRIGGERED'
  /** A contact reached the end of a workflow. */
  | 'WORKFLOW_COMPLETED'
  /** A workflow scheduled an email. */
  | 'WORKFLOW_EMAIL_SCHEDULED'
  /** A contact entered a workflow. */
  | 'WORKFLOW_STARTED';

/** What `addSegmentMembers` takes. */
export type AddSegmentMembersInput = {
  /** Whether a contact is created for an address that has none. Default: false. */
  createMissing?: boolean | null | undefined;
  /** Addresses of contacts, 1 to 1,000. */
  emails: Array<string>;
  /** Id of the segment. */
  id: string;
  /** Whether marketing email may be sent to the contacts that are created. Default: true. Existing ones stay as they are. */
  subscribed?: boolean | null | undefined;
};

/** How a mail program shows an attachment. */
export type AttachmentDisposition =
  /** Listed as a file. */
  | 'ATTACHMENT'
  /** Shown where the body links to its contentId. */
  | 'INLINE';

/** A file to send along. */
export type AttachmentInput = {
  /** The file in base64 (RFC 4648, 4). */
  content: string;
  /** The id that `cid:` links in the body refer to, such as `logo@example.com`; required for an inline attachment. ASCII without spaces, quotes, brackets, `%`, `#` and `?`. */
  contentId?: string | null | undefined;
  /** Its media type, such as `application/pdf`. */
  contentType: string;
  /** `attachment`: listed as a file. `inline`: shown where the body refers to its `contentId`. Default: attachment. */
  disposition?: AttachmentDisposition | null | undefined;
  /** The name it is shown under: 1 to 255 characters without quotes and slashes. */
  filename: string;
};

/** What `audiencePreview` takes. */
export type AudiencePreviewInput = {
  /** ALL contacts, the members of a SEGMENT, or the contacts that match a condition (FILTERED). */
  audienceType: CampaignAudience;
  /** Which contacts, for FILTERED: a condition, as segments have it. */
  condition?: ConditionInput | null | undefined;
  /** The segment, for SEGMENT; as it is when the campaign starts. */
  segmentId?: string | null | undefined;
  /** Decides whether unsubscribed contacts are left out: only TRANSACTIONAL reaches them. Default: MARKETING. */
  type?: EmailType | null | undefined;
};

/** The category an email is counted in. */
export type BillingCategory =
  /** Email sent by campaigns. */
  | 'CAMPAIGNS'
  /** Email received. */
  | 'INBOUND'
  /** Email sent with sendEmail or POST /v1/send. */
  | 'TRANSACTIONAL'
  /** Email sent by workflows. */
  | 'WORKFLOWS';

/** Whether a bounce is for good. */
export type BounceType =
  /** The address refuses email for good; later email to it is suppressed. */
  | 'PERMANENT'
  /** It passes, such as that of a full mailbox; the state of the email stays. */
  | 'TRANSIENT';

/** What `bulkDeleteContacts` takes. */
export type BulkDeleteContactsInput = {
  /** Ids of the contacts, at most 1000. */
  contactIds?: Array<string> | null | undefined;
  /** Contacts to leave out of those that match, at most 10000. */
  excludedContactIds?: Array<string> | null | undefined;
  /** All contacts that match when they are reached, of those that exist now, by the conditions that segments have now: instead of `contactIds`. `{}` means every contact. */
  filter?: ContactFilter | null | undefined;
};

/** What is done with many contacts. */
export type BulkOperation =
  /** They are deleted with their emails and events. */
  | 'DELETE'
  /** They are subscribed to marketing email. */
  | 'SUBSCRIBE'
  /** They are unsubscribed from marketing email: they have opted out, also those that were never subscribed. */
  | 'UNSUBSCRIBE';

/** Who a campaign is sent to. */
export type CampaignAudience =
  /** All contacts of the project. */
  | 'ALL'
  /** The contacts that match a condition when the campaign starts. */
  | 'FILTERED'
  /** The members of a segment when the campaign starts. */
  | 'SEGMENT';

/** Why a contact of the audience is not sent a campaign. */
export type CampaignExclusionReason =
  /** An earlier email to the address bounced. */
  | 'BOUNCED'
  /** The recipient reported an earlier email as spam. */
  | 'COMPLAINED'
  /** The project has put the address on its suppression list. */
  | 'SUPPRESSED'
  /** The contact is not subscribed to marketing emails. */
  | 'UNSUBSCRIBED';

/** Which campaigns a list holds: all conditions apply. */
export type CampaignFilter = {
  /** Part of the name or subject, at most 200 characters, ignoring case; `%` and `_` are not wildcards. */
  search?: string | null | undefined;
  /** Only campaigns in one of these states. */
  statuses?: Array<CampaignStatus> | null | undefined;
  /** Only campaigns whose content was copied from this template. */
  templateId?: string | null | undefined;
};

/** What campaigns are compared by. */
export type CampaignMetric =
  /** In how many a link was followed. */
  | 'CLICKS'
  /** Clicked, in percent of those sent. */
  | 'CLICK_RATE'
  /** How many emails were opened. */
  | 'OPENS'
  /** Opened, in percent of those sent. */
  | 'OPEN_RATE'
  /** How many emails were sent. */
  | 'SENT';

/** Which recipients a list holds: all conditions apply. */
export type CampaignRecipientFilter = {
  /** Only those who have, or have not, followed a link in their email: what programs do, such as mail scanners, does not count as far as can be told. Not with EXCLUDED. */
  clicked?: boolean | null | undefined;
  /** Only those who have, or have not, opened their email: what programs do, such as mail scanners, does not count as far as can be told. Not with EXCLUDED. */
  opened?: boolean | null | undefined;
  /** Only those with this outcome. Default: all who have an email; EXCLUDED lists the others. */
  outcome?: CampaignRecipientOutcome | null | undefined;
};

/** What became of a contact of the audience of a campaign. */
export type CampaignRecipientOutcome =
  /** The address refused it for good. */
  | 'BOUNCED'
  /** The campaign was cancelled, the contact deleted, or its address changed, before it was sent. */
  | 'CANCELLED'
  /** A link in it was followed, by a person or a program. */
  | 'CLICKED'
  /** It was reported as spam. */
  | 'COMPLAINED'
  /** It is known to have reached the mailbox. */
  | 'DELIVERED'
  /** There is no email, for the reason in `reason`. */
  | 'EXCLUDED'
  /** It will not be sent, for the reason in `reason`. */
  | 'FAILED'
  /** It was opened, by a person or a program. */
  | 'OPENED'
  /** The email waits, or is being sent. */
  | 'PENDING'
  /** The platform refused to send it, for the reason in `reason`. */
  | 'REJECTED'
  /** A mail server accepted it. */
  | 'SENT'
  /** Withheld: the contact unsubscribed, or the address was suppressed, after the campaign had started. */
  | 'SUPPRESSED';

/** How far a campaign is. */
export type CampaignStatus =
  /** It was cancelled after something had left. Final once the call that cancelled it has been answered: until then, for some seconds, it may still become a DRAFT again. */
  | 'CANCELLED'
  /** It can be changed, and sent. */
  | 'DRAFT'
  /** It is sent at `scheduledAt`; until then it can be changed. */
  | 'SCHEDULED'
  /** Its recipients are fixed, and its emails leave. */
  | 'SENDING'
  /** Every email has left, or will not. Final. */
  | 'SENT';

/** What `cancelWorkflowExecution` takes. */
export type CancelWorkflowExecutionInput = {
  /** Id of the execution. */
  id: string;
};

/** Which contacts are meant: groups of filters joined by AND or OR, or a single filter. At most 100 filters, 10 levels and 64 KB. A part that is not known is refused: without it other contacts would be meant. */
export type ConditionInput = {
  /** `email`, `subscribed`, `createdAt`, `updatedAt`, `data.<key>` (or a dotted path into nested data; a key that has the dots itself is preferred), `event.<name>`, `email.<activity>` (`sent`, `delivered`, `opened`, `clicked`, `bounced` or `complained`; what machines opened or clicked and bounces that pass do not count), or `segment.<id>`. */
  field?: string | null | undefined;
  /** At least one group of filters. */
  groups?: Array<FilterGroupInput> | null | undefined;
  /** How the groups are joined; inside a group everything must match. */
  logic?: ConditionLogic | null | undefined;
  /** Which operators a field takes depends on the field. Text is compared case-sensitively, except for `email`; a number never equals its text. `within`, `olderThan`, `greaterThan` and the like compare dates in custom data as text: they need full ISO 8601 times in UTC, with `Z`, such as `2026-01-31T09:30:00Z`. */
  operator?: FilterOperator | null | undefined;
  /** The unit of a span of time: of `within`, `olderThan`, and the three operators with a window. */
  unit?: FilterUnit | null | undefined;
  /** What to compare with: text, a number, true or false; `equals` and `notEquals` also take a list, and of `subscribed` true or false alone. With `equals` and `notEquals` a date, and a time in any offset, stands for its whole UTC day. For spans of time their number of units: above 0, and at most 100 years in all. Null counts as left out. */
  value?: unknown;
};

/** How the groups of a condition are joined. */
export type ConditionLogic =
  /** Every group must match. */
  | 'AND'
  /** At least one group must match. */
  | 'OR';

/** The type of a field: that of its first value, which stays. */
export type ContactFieldType =
  /** True or false. */
  | 'BOOLEAN'
  /** A date, `YYYY-MM-DD`, or a date and time in UTC, `YYYY-MM-DDTHH:MM:SSZ`. */
  | 'DATE'
  /** A number. */
  | 'NUMBER'
  /** Text; objects and lists count as text. */
  | 'STRING';

/** Which contacts are meant: all conditions apply; `{}` means every contact. */
export type ContactFilter = {
  /** Only contacts that match this condition, as segments have it. */
  condition?: ConditionInput | null | undefined;
  /** Only contacts that were created at or after this moment. */
  createdFrom?: string | null | undefined;
  /** Only contacts that were created before this moment. */
  createdTo?: string | null | undefined;
  /** A part of the address, at most 254 characters, in upper or lower case; `%` and `_` are not wildcards. */
  search?: string | null | undefined;
  /** Only contacts that are members of this segment at the moment. */
  segmentId?: string | null | undefined;
  /** Only contacts that are, or are not, subscribed. */
  subscribed?: boolean | null | undefined;
};

/** The order of the list. A cursor belongs to one order. */
export type ContactOrder = {
  /** Default: by creation. */
  by?: ContactSort | null | undefined;
  /** Default: DESC, the newest first, by creation; ASC by address. */
  direction?: SortDirection | null | undefined;
};

/** What a list of contacts is ordered by. */
export type ContactSort =
  /** When they were created. */
  | 'CREATED_AT'
  /** Their address. */
  | 'EMAIL';

/** What a template or a campaign is written in. */
export type ContentMode =
  /** HTML with Liquid. */
  | 'HTML'
  /** A document, of which the server makes the HTML. */
  | 'VISUAL';

/** What `createCampaign` takes. */
export type CreateCampaignInput = {
  /** ALL contacts, the members of a SEGMENT, or the contacts that match a condition (FILTERED). */
  audienceType: CampaignAudience;
  /** HTML with Liquid, at most 5 MB; values are HTML-escaped unless they end in `| raw`. Either this or `document`; of a template that is taken, another than it has makes HTML. */
  body?: string | null | undefined;
  /** Which contacts, for FILTERED: a condition, as segments have it. */
  condition?: ConditionInput | null | undefined;
  /** What it is for, for people; at most 500 characters. */
  description?: string | null | undefined;
  /** The document of a visual campaign, as TipTap has it, which its HTML is made of: at most 5,000 nodes and marks, 100,000 characters and 20 levels. Nodes: doc, paragraph, heading (level 1 to 3), text with the marks bold, italic, underline, strike, code and link, bulletList, orderedList, listItem, blockquote, horizontalRule, hardBreak, image (src, alt), button (href, label) and variable (path, fallback). Paragraphs, headings, images and buttons may have an align: left, center or right. In an href, {{ path }} prints a variable as a whole segment of the path or value of the query; {{ unsubscribeUrl }}, {{ subscribeUrl }} and {{ manageUrl }} are whole addresses. Either this or `body`. Null counts as left out. */
  document?: unknown;
  /** The sender; its domain must be verified in the project. Required without `templateId`. */
  from?: string | null | undefined;
  /** The sender’s name, at most 100 characters; null for the name of the project. */
  fromName?: string | null | undefined;
  /** How many emails leave per hour at most, 1 to 10,000,000, those included that a mail server had put off; null for no limit. */
  maxPerHour?: number | null | undefined;
  /** What people call it, one line of 1 to 100 characters. */
  name: string;
  /** What mail programs show beside the subject: a Liquid template of at most 200 characters, hidden in the body. */
  previewText?: string | null | undefined;
  /** The address replies go to; null for the sender. */
  replyTo?: string | null | undefined;
  /** The segment, for SEGMENT; as it is when the campaign starts. */
  segmentId?: string | null | undefined;
  /** The subject line; a Liquid template on one line of 1 to 998 characters (RFC 5322, 2.1.1). Required without `templateId`. */
  subject?: string | null | undefined;
  /** Copies subject, preview text, body, sender, reply-to address and type from this template as it is now; fields given here win. Null forgets the template and changes nothing else. */
  templateId?: string | null | undefined;
  /** Default: that of the template, otherwise MARKETING. */
  type?: EmailType | null | undefined;
};

/** What `createSegment` takes. */
export type CreateSegmentInput = {
  /** Which contacts are members; required for a dynamic segment, refused for a static one. */
  condition?: ConditionInput | null | undefined;
  /** What it is for, for people; at most 500 characters. */
  description?: string | null | undefined;
  /** What people call it, 1 to 100 characters; its events are named after it. */
  name: string;
  /** Whether the members of a dynamic segment are computed every 5 minutes, and who enters and leaves is logged. The first computation logs the entry of all members. Of a static segment who is added and removed is always logged. */
  trackMembership?: boolean | null | undefined;
  /** Default: DYNAMIC. */
  type?: SegmentType | null | undefined;
};

/** What `createTemplate` takes. */
export type CreateTemplateInput = {
  /** HTML with Liquid, at most 5 MB; values are HTML-escaped unless they end in `| raw`. Either this or `document`. */
  body?: string | null | undefined;
  /** What it is for, for people; at most 500 characters. */
  description?: string | null | undefined;
  /** The document of a visual template, as TipTap has it, which its HTML is made of: at most 5,000 nodes and marks, 100,000 characters and 20 levels. Nodes: doc, paragraph, heading (level 1 to 3), text with the marks bold, italic, underline, strike, code and link, bulletList, orderedList, listItem, blockquote, horizontalRule, hardBreak, image (src, alt), button (href, label) and variable (path, fallback). Paragraphs, headings, images and buttons may have an align: left, center or right. In an href, {{ path }} prints a variable as a whole segment of the path or value of the query; {{ unsubscribeUrl }}, {{ subscribeUrl }} and {{ manageUrl }} are whole addresses. Either this or `body`. Null counts as left out. */
  document?: unknown;
  /** The sender; its domain must be verified in the project. */
  from: string;
  /** The sender’s name, at most 100 characters; null for none. */
  fromName?: string | null | undefined;
  /** One line of 1 to 100 characters. Default: the first 100 characters of the subject. */
  name?: string | null | undefined;
  /** What mail programs show beside the subject: a Liquid template on one line of 1 to 200 characters, hidden in the body; null for none. */
  previewText?: string | null | undefined;
  /** The address replies go to; null for the sender. */
  replyTo?: string | null | undefined;
  /** The subject line; a Liquid template on one line of 1 to 998 characters (RFC 5322, 2.1.1). */
  subject: string;
  /** Default: MARKETING. */
  type?: EmailType | null | undefined;
};

/** What `createWorkflow` takes. */
export type CreateWorkflowInput = {
  /** Whether a contact may enter again once an execution has ended; otherwise a contact enters once for ever. */
  allowReentry?: boolean | null | undefined;
  /** What it is for, for people; at most 500 characters. */
  description?: string | null | undefined;
  /** Events that end the execution of the contact they happen to, at once; at most 20. */
  exitEvents?: Array<string> | null | undefined;
  /** What people call it, one line of 1 to 100 characters. */
  name: string;
  /** The event that starts executions where `triggerType` is EVENT; kept and without effect where that is MANUAL. */
  triggerConfig?: WorkflowTriggerConfigInput | null | undefined;
  /** What starts its executions. Default: EVENT. */
  triggerType?: WorkflowTrigger | null | undefined;
};

/** What `createWorkflowStep` takes. */
export type CreateWorkflowStepInput = {
  /** The exit that leads to the new step from now on. What it has led to follows the first exit of the new step, or nothing where that is an EXIT. */
  after?: StepAfterInput | null | undefined;
  /** Whether executions begin with the new step from now on: what they have begun with follows its first exit. Fails while nothing leads to another step besides. Default: false. */
  asFirst?: boolean | null | undefined;
  /** Whether the newest step that leads nowhere leads to it from now on, by its first exit. Default: false. */
  autoConnect?: boolean | null | undefined;
  /**
   * What the step does, at most 64 KB; it may be incomplete until the workflow is enabled.
   * - SEND_EMAIL: `templateId`; `recipient`: `{ "type": "CONTACT" }` (default) or `{ "type": "CUSTOM", "customEmail": … }`
   * - DELAY: `amount`, `unit` (minutes, hours or days): at most 365 days
   * - WAIT_FOR_EVENT: `eventName`; `timeout` in seconds from the moment at which the execution came to it, at most 365 days: without it an execution waits for ever. Whether the event has happened in time is decided a second after it has passed
   * - CONDITION: `field`, `operator`, `value`, `unit`; or `mode: "multi"` with a `field` and up to 20 `branches` (`id`, `name`, `operator`, `value`, `unit`); or a `condition` as segments have it. `event.<key>` asks the data of the event
   * - WEBHOOK: `url`, `method` (default POST), `headers`, `body` (any JSON), with Liquid in every text; without a `body` the contact, the workflow, the execution and the event are sent (nothing with GET). In the URL values are percent-encoded, unless it begins with one or they are printed with `| raw`. Signed as Standard Webhooks. Network errors, 429 and 5xx are tried again 5 times, after 5 s, 1 min, 5 min, 30 min and 2 h; then the branch `error` is taken, or the execution fails. Any other status completes the step, with `success` in its output. A receiver that was slow the last time is tried one webhook at a time: `waiting` in the output says so
   * - UPDATE_CONTACT: `updates`: custom data, merged by the same rules as everywhere; `subscriptionAction`: none, subscribe or unsubscribe
   * - EXIT: `reason`: why it ends, at most 200 characters; default `exit_step`.
   *
   * Operators, units, `mode` and `subscriptionAction` are spelled as enums in GraphQL, as in a ConditionInput: `EQUALS`, `DAYS`, `MULTI`, `UNSUBSCRIBE`.
   */
  config?: unknown;
  /** One line of 1 to 100 characters. Default: what its type is called. */
  name?: string | null | undefined;
  /** Where an editor shows it. Default: below the steps that are there. */
  position?: StepPositionInput | null | undefined;
  /** The template that a step of the type SEND_EMAIL sends; null for none. */
  templateId?: string | null | undefined;
  /** What a step does. */
  type: WorkflowStepType;
  /** Id of the workflow. */
  workflowId: string;
};

/** What `createWorkflowTransition` takes. */
export type CreateWorkflowTransitionInput = {
  /** The exit of the step it leads from. WAIT_FOR_EVENT: none or `event`, and `timeout`; CONDITION: `yes` or `no`, or the id of a branch or `default`; WEBHOOK: none, and `error`; others: none. */
  branch?: string | null | undefined;
  /** Id of the step it leads from. */
  fromStepId: string;
  /** The order in which an editor shows the exits, 0 to 1,000. Default: 0. */
  priority?: number | null | undefined;
  /** Whether an exit that leads elsewhere leads here from now on; if that is refused, it goes on leading there. Default: false. */
  replace?: boolean | null | undefined;
  /** Id of the step it leads to. */
  toStepId: string;
};

/** What `deleteContactField` takes. */
export type DeleteContactFieldInput = {
  /** The name of a field; a custom one with or without `data.`. */
  field: string;
};

/** What `deleteSuppression` takes. */
export type DeleteSuppressionInput = {
  /** An address, in any spelling. */
  email: string;
};

/** What `deleteWorkflowStep` takes. */
export type DeleteWorkflowStepInput = {
  /** Id of the step. */
  id: string;
  /** Whether what led to the step leads to the step after it from then on. Default: false. */
  splice?: boolean | null | undefined;
};

/** What `deleteWorkflowTransition` takes. */
export type DeleteWorkflowTransitionInput = {
  /** Id of the transition. */
  id: string;
};

/** Which emails a list holds: all conditions apply. */
export type EmailFilter = {
  /** Only emails of this campaign. */
  campaignId?: string | null | undefined;
  /** Only emails to this contact. */
  contactId?: string | null | undefined;
  /** Only emails accepted at or after this moment. */
  createdFrom?: string | null | undefined;
  /** Only emails accepted before this moment. */
  createdTo?: string | null | undefined;
  /** Only emails that this execution of a workflow has sent. */
  executionId?: string | null | undefined;
  /** Only emails to contacts whose address contains this, at most 200 characters, ignoring case; `%` and `_` are not wildcards. Of more than 1,000 such contacts the newest count. */
  search?: string | null | undefined;
  /** Only emails that were caused by one of these. A page is found among 20,000 emails: where it is shorter than asked for, or empty, and another follows, go on from its cursor. `totalCount` may read all emails of the project. */
  sources?: Array<EmailSource> | null | undefined;
  /** Only emails in one of these states. */
  statuses?: Array<EmailStatus> | null | undefined;
  /** Only emails that were made from this template and whose content has not been removed. A page is found among 20,000 emails: where it is shorter than asked for, or empty, and another follows, go on from its cursor. `totalCount` may read all emails of the project. */
  templateId?: string | null | undefined;
};

/** What caused an email. */
export type EmailSource =
  /** A campaign. */
  | 'CAMPAIGN'
  /** Its sender: it came in, to an address of a domain of the project. */
  | 'INBOUND'
  /** A call of sendEmail or POST /v1/send. */
  | 'TRANSACTIONAL'
  /** A step of a workflow. */
  | 'WORKFLOW';

/** The state of an email. `reason` says in a sentence why one was not sent. */
export type EmailStatus =
  /** The address refused it for good; later email to it is suppressed. */
  | 'BOUNCED'
  /** It was cancelled before it was sent: by a call, with its campaign, because its contact was deleted, or because the contact has another address by now. */
  | 'CANCELLED'
  /** A link in it was clicked. */
  | 'CLICKED'
  /** The recipient reported it as spam; later email to it is suppressed. */
  | 'COMPLAINED'
  /** It is known to have reached the mailbox. */
  | 'DELIVERED'
  /** It will not be sent, for the reason in `reason`: a mail server refused it for good or for 24 hours, it could not be rendered, its project is suspended, or its sender domain was deleted or not verified for 24 hours. */
  | 'FAILED'
  /** It was opened. Every request for its pixel counts, also that of a program: the event `email.open` says whether it was one. */
  | 'OPENED'
  /** Accepted and durable; waits for a worker or for its next attempt. */
  | 'PENDING'
  /** It came in, to an address of a domain of the project. */
  | 'RECEIVED'
  /** The platform refused to send it. */
  | 'REJECTED'
  /** A worker is handing it to a mail server. */
  | 'SENDING'
  /** A mail server accepted it. */
  | 'SENT'
  /** Not sent: the contact is unsubscribed, the address bounced or complained before, or the project put the address on its suppression list. */
  | 'SUPPRESSED';

/** What kind of email a template or a campaign makes. */
export type EmailType =
  /** Has no unsubscribe footer; is not sent to unsubscribed contacts. */
  | 'HEADLESS'
  /** Has an unsubscribe footer and unsubscribe headers; is not sent to unsubscribed contacts. */
  | 'MARKETING'
  /** Has no unsubscribe footer; is also sent to unsubscribed contacts. */
  | 'TRANSACTIONAL';

/** What an installation is for. */
export type Environment =
  /** Trying it, or working on it. */
  | 'DEVELOPMENT'
  /** Serving people. */
  | 'PRODUCTION'
  /** Automatic tests. */
  | 'TEST';

/** Which events a list holds: all conditions apply. */
export type EventFilter = {
  /** Only events of this contact. */
  contactId?: string | null | undefined;
  /** Only events at or after this moment. */
  createdFrom?: string | null | undefined;
  /** Only events before this moment. */
  createdTo?: string | null | undefined;
  /** Only events with this name. */
  name?: string | null | undefined;
};

/** One test of a contact: a field, an operator, and what the operator needs. */
export type FieldFilterInput = {
  /** `email`, `subscribed`, `createdAt`, `updatedAt`, `data.<key>` (or a dotted path into nested data; a key that has the dots itself is preferred), `event.<name>`, `email.<activity>` (`sent`, `delivered`, `opened`, `clicked`, `bounced` or `complained`; what machines opened or clicked and bounces that pass do not count), or `segment.<id>`. */
  field: string;
  /** Which operators a field takes depends on the field. Text is compared case-sensitively, except for `email`; a number never equals its text. `within`, `olderThan`, `greaterThan` and the like compare dates in custom data as text: they need full ISO 8601 times in UTC, with `Z`, such as `2026-01-31T09:30:00Z`. */
  operator: FilterOperator;
  /** The unit of a span of time: of `within`, `olderThan`, and the three operators with a window. */
  unit?: FilterUnit | null | undefined;
  /** What to compare with: text, a number, true or false; `equals` and `notEquals` also take a list, and of `subscribed` true or false alone. With `equals` and `notEquals` a date, and a time in any offset, stands for its whole UTC day. For spans of time their number of units: above 0, and at most 100 years in all. Null counts as left out. */
  value?: unknown;
};

/** Filters that must all match, with a condition that must match as well. */
export type FilterGroupInput = {
  /** A condition that must match as well. */
  conditions?: ConditionInput | null | undefined;
  /** Filters that must all match; may be empty when there are `conditions`. */
  filters: Array<FieldFilterInput>;
};

/** What a filter does with the value of its field. */
export type FilterOperator =
  /** The text contains the given text; case-sensitively, except for `email`. */
  | 'CONTAINS'
  /** The value is the given one, or one of those given. A date equals everything on its UTC day. */
  | 'EQUALS'
  /** There is a value other than JSON null; an empty text, 0 and false are values. */
  | 'EXISTS'
  /** The number is greater, or the text comes later by code points, as times do that are in UTC, with `Z`. */
  | 'GREATER_THAN'
  /** The number or text is the given one, or greater. */
  | 'GREATER_THAN_OR_EQUAL'
  /** The number is less, or the text comes earlier. */
  | 'LESS_THAN'
  /** The number or text is the given one, or less. */
  | 'LESS_THAN_OR_EQUAL'
  /** The contact is a member of the segment. */
  | 'MEMBER_OF_SEGMENT'
  /** There is a value, and it is not a text that contains the given one. */
  | 'NOT_CONTAINS'
  /** There is a value, and `EQUALS` does not match. JSON null is a value here. */
  | 'NOT_EQUALS'
  /** There is no value, or JSON null. */
  | 'NOT_EXISTS'
  /** The contact is not a member of the segment. */
  | 'NOT_MEMBER_OF_SEGMENT'
  /** The event has never happened. */
  | 'NOT_TRIGGERED'
  /** The event has not happened within that time, or never. */
  | 'NOT_TRIGGERED_WITHIN'
  /** The date is longer ago than that. In custom data a full ISO 8601 time in UTC, with `Z`, as for `WITHIN`. */
  | 'OLDER_THAN'
  /** The event has happened to the contact at least once. */
  | 'TRIGGERED'
  /** The event has happened, the last time longer ago than that. */
  | 'TRIGGERED_OLDER_THAN'
  /** The event has happened within that time. */
  | 'TRIGGERED_WITHIN'
  /** The date is at most that long ago, or in the future. In custom data a full ISO 8601 time in UTC, with `Z`: it is compared as text, and a time with an offset is taken for another. */
  | 'WITHIN';

/** The unit of a span of time. */
export type FilterUnit =
  /** 24 hours. */
  | 'DAYS'
  /** 60 minutes. */
  | 'HOURS'
  /** 60 seconds. */
  | 'MINUTES';

/** What `importSuppressions` takes. */
export type ImportSuppressionsInput = {
  /** The CSV file in base64 (RFC 4648, 4), at most 5 MB decoded. */
  content: string;
  /** The reason for rows that have none of their own. Default: MANUAL. */
  reason?: SuppressionReason | null | undefined;
};

/** What `inviteMember` takes. */
export type InviteMemberInput = {
  /** An email address; trimmed and lower-cased. The Unicode and the ASCII spelling of a domain are the same address. */
  email: string;
  /** OWNER may do everything; ADMIN everything except add, change or remove owners; MEMBER everything except settings, keys, members, domains and billing. */
  role: Role;
};

/** How bad an issue is. */
export type IssueSeverity =
  /** An execution must fail there, or everybody may be meant, as a segment was deleted: the workflow cannot be enabled, and changes of an enabled one do not take effect. */
  | 'ERROR'
  /** Executions go on, perhaps not as it was meant. */
  | 'WARNING';

/** Which jobs a list holds: all conditions apply. */
export type JobFilter = {
  /** Only jobs that do one of these. */
  kinds?: Array<JobKind> | null | undefined;
  /** Only jobs that are this far: in one of these states. */
  states?: Array<JobState> | null | undefined;
};

/** What a job does. */
export type JobKind =
  /** Subscribes, unsubscribes or deletes many contacts; see `bulkResult`. */
  | 'BULK'
  /** Imports contacts from a CSV file; see `importResult`. */
  | 'IMPORT';

/** How far a job is. */
export type JobState =
  /** A worker is on it, or goes on with it when the project is no longer suspended. */
  | 'ACTIVE'
  /** It was cancelled; what was done before stays. Final. */
  | 'CANCELLED'
  /** Everything is done. Final. */
  | 'COMPLETED'
  /** It stopped, and `failedReason` says why; what was done before stays. Final. */
  | 'FAILED'
  /** No worker has begun yet. */
  | 'WAITING';

/** What `joinProject` takes. */
export type JoinProjectInput = {
  /** Id of the invitation, as `viewer.invitations` has it. */
  invitationId: string;
};

/** What `moveWorkflowSteps` takes. */
export type MoveWorkflowStepsInput = {
  /** The steps that move, each once, 1 to 100; the others stay. */
  positions: Array<StepMoveInput>;
  /** Id of the workflow. */
  workflowId: string;
};

/** An address with the name that mail programs show for it. */
export type NamedAddressInput = {
  /** An email address; trimmed and lower-cased. The Unicode and the ASCII spelling of a domain are the same address. */
  email: string;
  /** The name mail programs show for the address, at most 255 characters. */
  name?: string | null | undefined;
};

/** A service that people can sign in with. */
export type OauthProvider =
  /** GitHub. */
  | 'GITHUB'
  /** Google. */
  | 'GOOGLE';

/** What `previewEmail` takes. */
export type PreviewEmailInput = {
  /** HTML with Liquid, at most 5 MB. Required without a template, a campaign and a document. */
  body?: string | null | undefined;
  /** The campaign that what is left out of the content is taken from. */
  campaignId?: string | null | undefined;
  /** The contact it is rendered for. Default: a subscribed one without data. */
  contactId?: string | null | undefined;
  /** Custom data as `sendEmail` would be given: it overrides that of the contact, and nothing is stored. Null counts as left out. */
  data?: unknown;
  /** The document of a visual template, of which the body is made. Null counts as left out. */
  document?: unknown;
  /** The sender, on whose domain the links of the recipient’s pages are. Default: that of the template or campaign. */
  from?: string | null | undefined;
  /** The sender’s name; null for that of the project. Default: that of the template or campaign. */
  fromName?: string | null | undefined;
  /** The preview text, a Liquid template; null for none. Default: that of the template or campaign. */
  previewText?: string | null | undefined;
  /** The subject line, a Liquid template. Default: that of the template or campaign, otherwise empty. */
  subject?: string | null | undefined;
  /** The template that what is left out of the content is taken from. */
  templateId?: string | null | undefined;
  /** Decides on the footer. Default: that of the template or campaign, otherwise MARKETING. */
  type?: EmailType | null | undefined;
};

/** What `removeMember` takes. */
export type RemoveMemberInput = {
  /** Id of the member’s account. */
  userId: string;
};

/** What `removeSegmentMembers` takes. */
export type RemoveSegmentMembersInput = {
  /** Addresses of contacts, 1 to 1,000. */
  emails: Array<string>;
  /** Id of the segment. */
  id: string;
};

/** What `revokeInvitation` takes. */
export type RevokeInvitationInput = {
  /** Id of the invitation. */
  id: string;
};

/** What a member of a project may do. */
export type Role =
  /** May do everything except add, change or remove owners. */
  | 'ADMIN'
  /** May do everything except settings, keys, members, domains and billing. */
  | 'MEMBER'
  /** May do everything. */
  | 'OWNER';

/** How a segment gets its members. */
export type SegmentType =
  /** It has the contacts that match its condition. */
  | 'DYNAMIC'
  /** It has the contacts that were added to it. */
  | 'STATIC';

/** What `sendCampaign` takes. */
export type SendCampaignInput = {
  /** Id of the campaign. */
  id: string;
  /** When it is sent; left out or null for now. Must be in the future. */
  scheduledAt?: string | null | undefined;
};

/** A name and its value. */
export type SendEmailHeaderInput = {
  /** A header name: 1 to 76 printable ASCII characters without colon or space. Headers that the platform sets are refused. */
  name: string;
  /** Up to 998 characters without line breaks. */
  value: string;
};

/** What `sendEmail` takes. */
export type SendEmailInput = {
  /** At most 10 files; together at most 10 MB decoded, unless the installation sets another limit. */
  attachments?: Array<AttachmentInput> | null | undefined;
  /** Addresses that receive a hidden copy, only with a single recipient; at most 50 together with `cc`. */
  bcc?: Array<NamedAddressInput> | null | undefined;
  /** The HTML body: a Liquid template. Required without a template. */
  body?: string | null | undefined;
  /** Addresses that receive a copy, only with a single recipient; at most 50 together with `bcc`. One that the mail server puts off is attempted again by itself; one that it refuses is logged as `email.copy.failed`. */
  cc?: Array<NamedAddressInput> | null | undefined;
  /** Custom fields, patched key by key: null deletes a key, an empty string is ignored, `{ "value": …, "persistent": false }` is used for this call only. `id`, `plunk_id`, `plunk_email`, `email`, `unsubscribeUrl`, `subscribeUrl` and `manageUrl` are dropped, and `__proto__` is refused. At most 500 keys and 1 MB as JSON; a contact holds at most 500 keys and 128 KB. Null counts as left out. */
  data?: unknown;
  /** The sender, on a verified domain. Required without a template. */
  from?: NamedAddressInput | null | undefined;
  /** Additional headers, at most 50, each with a value of up to 998 characters without line breaks. */
  headers?: Array<SendEmailHeaderInput> | null | undefined;
  /** 1 to 255 printable ASCII characters. Repeating the call with the same key within 24 hours does nothing and gives the first answer again. While the first call is running it fails with IDEMPOTENCY_KEY_IN_PROGRESS, and with another input with IDEMPOTENCY_KEY_MISMATCH. The header Idempotency-Key does the same. */
  idempotencyKey?: string | null | undefined;
  /** What mail programs show beside the subject: a Liquid template on one line of 1 to 200 characters, hidden in the body. Default: that of the template; null for none. */
  previewText?: string | null | undefined;
  /** The address replies go to. */
  replyTo?: string | null | undefined;
  /** The subject line: a Liquid template on one line of 1 to 998 characters. Required without a template. */
  subject?: string | null | undefined;
  /** Whether the recipients are subscribed to marketing emails. Default: false for a new contact, unchanged for an existing one. `false` unsubscribes one that is subscribed; one that never was has not opted out by it. A change is logged. */
  subscribed?: boolean | null | undefined;
  /** Labels for your own use: at most 10, each of 1 to 64 characters. */
  tags?: Array<string> | null | undefined;
  /** Id of a template that supplies subject, preview text, body, sender and reply-to address. Fields given here override it. */
  templateId?: string | null | undefined;
  /** The plain text body: a Liquid template. Default: made from the HTML body. */
  text?: string | null | undefined;
  /** 1 to 1,000 recipients. Each receives an email of their own and does not see the others. Where `data` is stored, their contacts hold at most 8 MB of data together, with what each of them gets. */
  to: Array<NamedAddressInput>;
  /** Whether opens and clicks of this email are tracked. Default: the setting of the project. */
  tracking?: boolean | null | undefined;
};

/** What `sendTemplateTest` takes. */
export type SendTemplateTestInput = {
  /** The contact it is rendered for. Default: the one with that address, or else a subscribed one without data. */
  contactId?: string | null | undefined;
  /** Where the test is sent. */
  email: string;
  /** Id of the template. */
  id: string;
};

/** The direction of an order. */
export type SortDirection =
  /** From the lowest, the oldest or A. */
  | 'ASC'
  /** From the highest, the newest or Z. */
  | 'DESC';

/** What `startWorkflowExecution` takes. */
export type StartWorkflowExecutionInput = {
  /** Id of the contact. */
  contactId: string;
  /** What steps may ask and print as `event.<key>`, at most 256 KB as JSON. */
  context?: unknown;
  /** Id of the workflow. */
  workflowId: string;
};

/** The exit of a step that leads to a new step. */
export type StepAfterInput = {
  /** Its exit; null or left out for the plain one. WAIT_FOR_EVENT: none or `event`, and `timeout`; CONDITION: `yes` or `no`, or the id of a branch or `default`; WEBHOOK: none, and `error`; others: none. */
  branch?: string | null | undefined;
  /** Id of the step before the new one. */
  stepId: string;
};

/** A step, and where it is moved. */
export type StepMoveInput = {
  /** Where an editor shows it. */
  position: StepPositionInput;
  /** Id of the step. */
  stepId: string;
};

/** Where an editor shows a step, in pixels. */
export type StepPositionInput = {
  /** From the left, -1,000,000 to 1,000,000. */
  x: number;
  /** From the top, -1,000,000 to 1,000,000. */
  y: number;
};

/** What `suppressAddresses` takes. */
export type SuppressAddressesInput = {
  /** 1 to 1,000 addresses. */
  emails: Array<string>;
  /** Default: MANUAL. `UNSUBSCRIBED` withholds marketing emails, as for a contact that has opted out; `MANUAL`, `BOUNCE` and `COMPLAINT` withhold every email. A stronger reason replaces a weaker one. */
  reason?: SuppressionReason | null | undefined;
};

/** Which suppressions a list holds: all conditions apply. */
export type SuppressionFilter = {
  /** Only those with one of these reasons. */
  reasons?: Array<SuppressionReason> | null | undefined;
  /** A part of the address, at most 254 characters, in upper or lower case; `%` and `_` are not wildcards. */
  search?: string | null | undefined;
};

/** Why an address is on the suppression list, from weak to strong. */
export type SuppressionReason =
  /** An email to it bounced: every email is withheld. */
  | 'BOUNCE'
  /** Its owner reported an email as spam: every email is withheld. */
  | 'COMPLAINT'
  /** It was put there: every email is withheld. */
  | 'MANUAL'
  /** It opted out: marketing emails are withheld. */
  | 'UNSUBSCRIBED';

/** What put an address on the suppression list. */
export type SuppressionSource =
  /** A call. */
  | 'API'
  /** What became of an email to it. */
  | 'DELIVERY'
  /** A file. */
  | 'IMPORT';

/** Which templates a list holds: all conditions apply. */
export type TemplateFilter = {
  /** Part of the name, description or subject, at most 200 characters, ignoring case; `%` and `_` are not wildcards. */
  search?: string | null | undefined;
  /** Only templates of this type. */
  type?: EmailType | null | undefined;
};

/** How long the parts of a time series are. */
export type TimeseriesInterval =
  /** Days of the time zone: of 23 or 25 hours where clocks change. */
  | 'DAY'
  /** Hours. */
  | 'HOUR'
  /** Months of the time zone. */
  | 'MONTH'
  /** Weeks of the time zone, from Monday on. */
  | 'WEEK';

/** What `trackEvent` takes. */
export type TrackEventInput = {
  /** Custom fields, patched key by key: null deletes a key, an empty string is ignored, `{ "value": …, "persistent": false }` is used for this call only. `id`, `plunk_id`, `plunk_email`, `email`, `unsubscribeUrl`, `subscribeUrl` and `manageUrl` are dropped, and `__proto__` is refused. At most 500 keys and 1 MB as JSON; a contact holds at most 500 keys and 128 KB. Null counts as left out. */
  data?: unknown;
  /** An email address; trimmed and lower-cased. The Unicode and the ASCII spelling of a domain are the same address. */
  email: string;
  /** The name of an event, 1 to 255 characters on one line, not one that the platform writes itself, in whatever case. */
  event: string;
  /** 1 to 255 printable ASCII characters. Repeating the call with the same key within 24 hours does nothing and gives the first answer again. While the first call is running it fails with IDEMPOTENCY_KEY_IN_PROGRESS, and with another input with IDEMPOTENCY_KEY_MISMATCH. The header Idempotency-Key does the same. */
  idempotencyKey?: string | null | undefined;
  /** Whether marketing email may be sent. With a public key it applies to new contacts only. Default: true for a new contact, unchanged for an existing one, which `false` opts out. */
  subscribed?: boolean | null | undefined;
};

/** What kind of thing is going to happen. */
export type UpcomingActivityType =
  /** A campaign is sent. */
  | 'CAMPAIGN_SCHEDULED'
  /** An execution of a workflow goes on to a step that sends an email. */
  | 'WORKFLOW_EMAIL_SCHEDULED'
  /** An execution of a workflow goes on to another step, or ends. */
  | 'WORKFLOW_WAITING';

/** What is left out stays as it is; null removes a cap. */
export type UpdateBillingLimitsInput = {
  /** Emails of campaigns per month, 1 to 1,000,000,000; null for no cap. */
  campaigns?: number | null | undefined;
  /** Received emails per month, 1 to 1,000,000,000; null for no cap. */
  inbound?: number | null | undefined;
  /** Transactional emails per month, 1 to 1,000,000,000; null for no cap. */
  transactional?: number | null | undefined;
  /** Emails of workflows per month, 1 to 1,000,000,000; null for no cap. */
  workflows?: number | null | undefined;
};

/** Only what is given changes; null empties a field that may be empty, and of `templateId` forgets the template. */
export type UpdateCampaignInput = {
  /** ALL contacts, the members of a SEGMENT, or the contacts that match a condition (FILTERED). */
  audienceType?: CampaignAudience | null | undefined;
  /** HTML with Liquid, at most 5 MB; another than it has makes a visual campaign an HTML one. */
  body?: string | null | undefined;
  /** Which contacts, for FILTERED: a condition, as segments have it. */
  condition?: ConditionInput | null | undefined;
  /** What it is for, for people; at most 500 characters. */
  description?: string | null | undefined;
  /** The document of a visual campaign, as TipTap has it, which its HTML is made of: at most 5,000 nodes and marks, 100,000 characters and 20 levels. Nodes: doc, paragraph, heading (level 1 to 3), text with the marks bold, italic, underline, strike, code and link, bulletList, orderedList, listItem, blockquote, horizontalRule, hardBreak, image (src, alt), button (href, label) and variable (path, fallback). Paragraphs, headings, images and buttons may have an align: left, center or right. In an href, {{ path }} prints a variable as a whole segment of the path or value of the query; {{ unsubscribeUrl }}, {{ subscribeUrl }} and {{ manageUrl }} are whole addresses. Only for a visual campaign, or with a visual template; not with `body`. Null counts as left out. */
  document?: unknown;
  /** The sender; its domain must be verified in the project. */
  from?: string | null | undefined;
  /** The sender’s name, at most 100 characters; null for the name of the project. */
  fromName?: string | null | undefined;
  /** Id of the campaign. */
  id: string;
  /** The `updatedAt` that was read: fails with CONFLICT when it has changed since. Default: whatever has changed is replaced. */
  ifUpdatedAt?: string | null | undefined;
  /** How many emails leave per hour at most, 1 to 10,000,000, those included that a mail server had put off; null for no limit. */
  maxPerHour?: number | null | undefined;
  /** HTML makes a visual campaign an HTML one, with the HTML it has; there is no way back but to take a visual template. An HTML campaign cannot become VISUAL. */
  mode?: ContentMode | null | undefined;
  /** What people call it, one line of 1 to 100 characters. */
  name?: string | null | undefined;
  /** What mail programs show beside the subject: a Liquid template of at most 200 characters, hidden in the body. */
  previewText?: string | null | undefined;
  /** The address replies go to; null for the sender. */
  replyTo?: string | null | undefined;
  /** The segment, for SEGMENT; as it is when the campaign starts. */
  segmentId?: string | null | undefined;
  /** The subject line; a Liquid template on one line of 1 to 998 characters (RFC 5322, 2.1.1). */
  subject?: string | null | undefined;
  /** Copies subject, preview text, body, sender, reply-to address and type from this template as it is now; fields given here win. Null forgets the template and changes nothing else. */
  templateId?: string | null | undefined;
  /** MARKETING has an unsubscribe footer and is not sent to unsubscribed contacts; TRANSACTIONAL has no footer and is sent to everybody; HEADLESS has no footer and is not sent to unsubscribed contacts. */
  type?: EmailType | null | undefined;
};

/** What is left out stays as it is. */
export type UpdateContactInput = {
  /** Custom fields, patched key by key: null deletes a key, an empty string is ignored, `{ "value": …, "persistent": false }` is used for this call only. `id`, `plunk_id`, `plunk_email`, `email`, `unsubscribeUrl`, `subscribeUrl` and `manageUrl` are dropped, and `__proto__` is refused. At most 500 keys and 1 MB as JSON; a contact holds at most 500 keys and 128 KB. Null counts as left out. */
  data?: unknown;
  /** An email address; trimmed and lower-cased. The Unicode and the ASCII spelling of a domain are the same address. */
  email?: string | null | undefined;
  /** Id of the contact. */
  id: string;
  /** Whether marketing email may be sent. `false` opts the contact out, also one that was never subscribed: marketing emails are withheld, and an import does not subscribe it. A change is logged as `contact.subscribed` or `contact.unsubscribed`. */
  subscribed?: boolean | null | undefined;
};

/** What `updateMember` takes. */
export type UpdateMemberInput = {
  /** OWNER may do everything; ADMIN everything except add, change or remove owners; MEMBER everything except settings, keys, members, domains and billing. */
  role: Role;
  /** Id of the member’s account. */
  userId: string;
};

/** Only what is given changes; null empties the description. */
export type UpdateSegmentInput = {
  /** Which contacts are members; refused for a static segment. */
  condition?: ConditionInput | null | undefined;
  /** What it is for, for people; at most 500 characters. */
  description?: string | null | undefined;
  /** Id of the segment. */
  id: string;
  /** The `updatedAt` that was read: fails with CONFLICT when it has changed since. Default: whatever has changed is replaced. */
  ifUpdatedAt?: string | null | undefined;
  /** What people call it, 1 to 100 characters; its events are named after it. */
  name?: string | null | undefined;
  /** Whether the members of a dynamic segment are computed every 5 minutes, and who enters and leaves is logged. The first computation logs the entry of all members. Of a static segment who is added and removed is always logged. */
  trackMembership?: boolean | null | undefined;
};

/** Only what is given changes; null empties previewText, fromName, replyTo and description. */
export type UpdateTemplateInput = {
  /** HTML with Liquid, at most 5 MB; another than it has makes a visual template an HTML one. */
  body?: string | null | undefined;
  /** What it is for, for people; at most 500 characters. */
  description?: string | null | undefined;
  /** The document of a visual template, as TipTap has it, which its HTML is made of: at most 5,000 nodes and marks, 100,000 characters and 20 levels. Nodes: doc, paragraph, heading (level 1 to 3), text with the marks bold, italic, underline, strike, code and link, bulletList, orderedList, listItem, blockquote, horizontalRule, hardBreak, image (src, alt), button (href, label) and variable (path, fallback). Paragraphs, headings, images and buttons may have an align: left, center or right. In an href, {{ path }} prints a variable as a whole segment of the path or value of the query; {{ unsubscribeUrl }}, {{ subscribeUrl }} and {{ manageUrl }} are whole addresses. Only for a visual template; not with `body`. Null counts as left out. */
  document?: unknown;
  /** The sender; its domain must be verified in the project. */
  from?: string | null | undefined;
  /** The sender’s name, at most 100 characters; null for none. */
  fromName?: string | null | undefined;
  /** Id of the template. */
  id: string;
  /** The `updatedAt` that was read: fails with CONFLICT when it has changed since. Default: whatever has changed is replaced. */
  ifUpdatedAt?: string | null | undefined;
  /** HTML makes a visual template an HTML one, with the HTML it has; there is no way back but to restore a version. An HTML template cannot become VISUAL. */
  mode?: ContentMode | null | undefined;
  /** One line of 1 to 100 characters. */
  name?: string | null | undefined;
  /** What mail programs show beside the subject: a Liquid template on one line of 1 to 200 characters, hidden in the body; null for none. */
  previewText?: string | null | undefined;
  /** The address replies go to; null for the sender. */
  replyTo?: string | null | undefined;
  /** The subject line; a Liquid template on one line of 1 to 998 characters (RFC 5322, 2.1.1). */
  subject?: string | null | undefined;
  /** MARKETING has an unsubscribe footer and is not sent to unsubscribed contacts; TRANSACTIONAL has no footer and is sent to everybody; HEADLESS has no footer and is not sent to unsubscribed contacts. */
  type?: EmailType | null | undefined;
};

/** Only what is given changes; null empties the description and the trigger. */
export type UpdateWorkflowInput = {
  /** Whether a contact may enter again once an execution has ended; otherwise a contact enters once for ever. */
  allowReentry?: boolean | null | undefined;
  /** What it is for, for people; at most 500 characters. */
  description?: string | null | undefined;
  /** Whether executions can start; those that have begun go on. */
  enabled?: boolean | null | undefined;
  /** Events that end the execution of the contact they happen to, at once; at most 20. */
  exitEvents?: Array<string> | null | undefined;
  /** Id of the workflow. */
  id: string;
  /** The `updatedAt` that was read: fails with CONFLICT when it has changed since. Default: whatever has changed is replaced. */
  ifUpdatedAt?: string | null | undefined;
  /** What people call it, one line of 1 to 100 characters. */
  name?: string | null | undefined;
  /** The event that starts executions where `triggerType` is EVENT; kept and without effect where that is MANUAL. */
  triggerConfig?: WorkflowTriggerConfigInput | null | undefined;
  /** EVENT: an event of the contact, named in `triggerConfig`. MANUAL: only a call. */
  triggerType?: WorkflowTrigger | null | undefined;
};

/** Only what is given changes; `config` is replaced as a whole, and a `templateId` of null takes the template away. */
export type UpdateWorkflowStepInput = {
  /**
   * What the step does, at most 64 KB; it may be incomplete until the workflow is enabled.
   * - SEND_EMAIL: `templateId`; `recipient`: `{ "type": "CONTACT" }` (default) or `{ "type": "CUSTOM", "customEmail": … }`
   * - DELAY: `amount`, `unit` (minutes, hours or days): at most 365 days
   * - WAIT_FOR_EVENT: `eventName`; `timeout` in seconds from the moment at which the execution came to it, at most 365 days: without it an execution waits for ever. Whether the event has happened in time is decided a second after it has passed
   * - CONDITION: `field`, `operator`, `value`, `unit`; or `mode: "multi"` with a `field` and up to 20 `branches` (`id`, `name`, `operator`, `value`, `unit`); or a `condition` as segments have it. `event.<key>` asks the data of the event
   * - WEBHOOK: `url`, `method` (default POST), `headers`, `body` (any JSON), with Liquid in every text; without a `body` the contact, the workflow, the execution and the event are sent (nothing with GET). In the URL values are percent-encoded, unless it begins with one or they are printed with `| raw`. Signed as Standard Webhooks. Network errors, 429 and 5xx are tried again 5 times, after 5 s, 1 min, 5 min, 30 min and 2 h; then the branch `error` is taken, or the execution fails. Any other status completes the step, with `success` in its output. A receiver that was slow the last time is tried one webhook at a time: `waiting` in the output says so
   * - UPDATE_CONTACT: `updates`: custom data, merged by the same rules as everywhere; `subscriptionAction`: none, subscribe or unsubscribe
   * - EXIT: `reason`: why it ends, at most 200 characters; default `exit_step`.
   *
   * Operators, units, `mode` and `subscriptionAction` are spelled as enums in GraphQL, as in a ConditionInput: `EQUALS`, `DAYS`, `MULTI`, `UNSUBSCRIBE`. Null counts as left out.
   */
  config?: unknown;
  /** Id of the step. */
  id: string;
  /** The `updatedAt` that was read: fails with CONFLICT when it has changed since. Default: whatever has changed is replaced. */
  ifUpdatedAt?: string | null | undefined;
  /** What people call it, one line of 1 to 100 characters. */
  name?: string | null | undefined;
  /** Where an editor shows a step, in pixels. */
  position?: StepPositionInput | null | undefined;
  /** The template that a step of the type SEND_EMAIL sends; null for none. */
  templateId?: string | null | undefined;
};

/** What `upsertContact` takes. */
export type UpsertContactInput = {
  /** Custom fields, patched key by key: null deletes a key, an empty string is ignored, `{ "value": …, "persistent": false }` is used for this call only. `id`, `plunk_id`, `plunk_email`, `email`, `unsubscribeUrl`, `subscribeUrl` and `manageUrl` are dropped, and `__proto__` is refused. At most 500 keys and 1 MB as JSON; a contact holds at most 500 keys and 128 KB. Null counts as left out. */
  data?: unknown;
  /** An email address; trimmed and lower-cased. The Unicode and the ASCII spelling of a domain are the same address. */
  email: string;
  /** Whether marketing email may be sent to the contact. Default: true for a new contact, unchanged for an existing one. `false` opts an existing contact out, also one that was never subscribed; a new one is not subscribed. */
  subscribed?: boolean | null | undefined;
};

/** Which executions a list holds: all conditions apply. */
export type WorkflowExecutionFilter = {
  /** Only those of this contact; none for an id that is unknown. */
  contactId?: string | null | undefined;
  /** Only executions in one of these states. */
  statuses?: Array<WorkflowExecutionStatus> | null | undefined;
};

/** How far an execution is. */
export type WorkflowExecutionStatus =
  /** It was stopped. */
  | 'CANCELLED'
  /** Its last step was done. */
  | 'COMPLETED'
  /** An EXIT step, an event or the guard against loops ended it. */
  | 'EXITED'
  /** A step could not be done. */
  | 'FAILED'
  /** A step is being done, or will be tried again. */
  | 'RUNNING'
  /** It waits for a time or an event. */
  | 'WAITING';

/** What a field of conditions of workflows belongs to. */
export type WorkflowFieldCategory =
  /** A field that every contact has. */
  | 'CONTACT_FIELDS'
  /** Custom data of contacts. */
  | 'CUSTOM_DATA'
  /** The data of the event that started the execution. */
  | 'EVENT_DATA';

/** Which workflows a list holds: all conditions apply. */
export type WorkflowFilter = {
  /** Only workflows that are enabled, or only those that are not. */
  enabled?: boolean | null | undefined;
  /** Part of the name or description, at most 200 characters, ignoring case; `%` and `_` are not wildcards. */
  search?: string | null | undefined;
};

/** What is wrong with a workflow. */
export type WorkflowIssueCode =
  /** A condition refers to a segment that was deleted, or to one that leads to such a segment: nobody is a member of it, and everybody is not a member of it. */
  | 'DELETED_SEGMENT'
  /** A step that waits for an event has no timeout. */
  | 'ENDLESS_WAIT'
  /** The config of a step lacks something. */
  | 'INCOMPLETE'
  /** The trigger names no event, so that nothing starts the workflow. */
  | 'MISSING_EVENT'
  /** A step that sends an email has no template. */
  | 'MISSING_TEMPLATE'
  /** A branch of a step leads nowhere: the execution ends there. */
  | 'MISSING_TRANSITION'
  /** No transition leads to a step. */
  | 'UNREACHABLE'
  /** A transition is for a branch that its step never takes. */
  | 'UNUSED_TRANSITION';

/** How far a step of an execution is. */
export type WorkflowStepStatus =
  /** The execution ended while it waited. */
  | 'CANCELLED'
  /** It was done. */
  | 'COMPLETED'
  /** It could not be done. */
  | 'FAILED'
  /** It is being done, or will be tried again. */
  | 'RUNNING'
  /** It waits for a time or an event. */
  | 'WAITING';

/** What a step does. */
export type WorkflowStepType =
  /** Asks the contact and the event that started the execution, and leads to one of several exits. */
  | 'CONDITION'
  /** Waits for a span of time from the moment at which the execution came to it, however late a worker comes. */
  | 'DELAY'
  /** Ends the execution. */
  | 'EXIT'
  /** Sends a template to the contact, or to another address. */
  | 'SEND_EMAIL'
  /** Changes the data of the contact, or its subscription. */
  | 'UPDATE_CONTACT'
  /** Waits until an event happens to the contact, or a time has passed. What happened since the execution last rested counts as well: since the event that started it, the event that ended the wait before, or the end of the delay or timeout before. */
  | 'WAIT_FOR_EVENT'
  /** Calls a URL. */
  | 'WEBHOOK';

/** What starts the executions of a workflow. */
export type WorkflowTrigger =
  /** An event of the contact. */
  | 'EVENT'
  /** Only a call. */
  | 'MANUAL';

/** What belongs to the trigger: the name of the event. */
export type WorkflowTriggerConfigInput = {
  /** The event that starts executions, 1 to 255 characters. */
  eventName?: string | null | undefined;
};

export type EmailTimelinesQueryVariables = Exact<{ [key: string]: never; }>;


export type EmailTimelinesQuery = { emails: { nodes: Array<{ events: Array<{ id: string }>, timeline: Array<{ id: string, type: ActivityType, timestamp: string, reason: string | null, bounceType: BounceType | null, link: string | null, machine: boolean | null, machineReason: string | null, event: { id: string } | null }> }> } };

export type EndOfTimelineQueryVariables = Exact<{ [key: string]: never; }>;


export type EndOfTimelineQuery = { emails: { nodes: Array<{ opens: number, eventsOmitted: number, events: Array<{ name: string }>, timeline: Array<{ type: ActivityType }> }> } };

export type MetadataOfActivityQueryVariables = Exact<{ [key: string]: never; }>;


export type MetadataOfActivityQuery = { activity: { nodes: Array<{ type: ActivityType, metadata: unknown }> } };

export type UpcomingQueryVariables = Exact<{
  limit?: number | null | undefined;
  daysAhead?: number | null | undefined;
}>;


export type UpcomingQuery = { upcomingActivity: Array<{ id: string, type: UpcomingActivityType, timestamp: string, campaign: { id: string, name: string } | null, execution: { id: string, status: WorkflowExecutionStatus, workflow: { name: string } | null, currentStep: { name: string } | null, contact: { email: string } | null } | null, contact: { email: string } | null }> };

export type TopCampaignsQueryVariables = Exact<{
  limit?: number | null | undefined;
  metric?: CampaignMetric | null | undefined;
  startDate?: string | null | undefined;
  endDate?: string | null | undefined;
  timezone?: string | null | undefined;
}>;


export type TopCampaignsQuery = { topCampaigns: Array<{ id: string, name: string, stats: { sentCount: number, openRate: number, machineOpens: number } }> };

export type CampaignSummaryQueryVariables = Exact<{ [key: string]: never; }>;


export type CampaignSummaryQuery = { campaignSummary: { total: number, active: number, completed: number, averageOpenRate: number, averageClickRate: number, campaigns: Array<{ id: string, status: CampaignStatus, stats: { clickRate: number } }> } };

export type TopEventsQueryVariables = Exact<{
  limit?: number | null | undefined;
  startDate?: string | null | undefined;
  endDate?: string | null | undefined;
  tracked?: boolean | null | undefined;
}>;


export type TopEventsQuery = { topEvents: Array<{ name: string, count: number, trend: number }> };

export type SeriesQueryVariables = Exact<{
  startDate?: string | null | undefined;
  endDate?: string | null | undefined;
  timezone?: string | null | undefined;
  interval?: TimeseriesInterval | null | undefined;
}>;


export type SeriesQuery = { timeseries: Array<{ start: string, day: string, sent: number, delivered: number, opened: number, clicked: number, bounced: number, machineOpened: number, machineClicked: number, complained: number, failed: number, unsubscribed: number }> };

export type EmailTotalsQueryVariables = Exact<{
  startDate?: string | null | undefined;
  endDate?: string | null | undefined;
  timezone?: string | null | undefined;
}>;


export type EmailTotalsQuery = { emailTotals: { startDate: string, endDate: string, sent: number, delivered: number, opened: number, clicked: number, bounced: number, complained: number, failed: number, unsubscribed: number, deliveryRate: number, openRate: number, clickRate: number, bounceRate: number, complaintRate: number, previous: { startDate: string, endDate: string, sent: number, openRate: number } } };

export type EventCountsQueryVariables = Exact<{
  startDate?: string | null | undefined;
  endDate?: string | null | undefined;
}>;


export type EventCountsQuery = { eventCounts: Array<{ name: string, count: number }> };

export type ActivityStatsQueryVariables = Exact<{
  startDate?: string | null | undefined;
  endDate?: string | null | undefined;
}>;


export type ActivityStatsQuery = { activityStats: { totalEvents: number } };

export type CapsOfProjectQueryVariables = Exact<{ [key: string]: never; }>;


export type CapsOfProjectQuery = { project: { billingLimits: { freeAllowance: { category: BillingCategory | null, limit: number | null, usage: number, remaining: number | null, isBlocked: boolean } | null, transactional: { category: BillingCategory | null, limit: number | null, usage: number, remaining: number | null }, campaigns: { category: BillingCategory | null, limit: number | null, usage: number, remaining: number | null } } } };

export type SetCapsMutationVariables = Exact<{
  input: UpdateBillingLimitsInput;
}>;


export type SetCapsMutation = { updateBillingLimits: { billingLimits: { transactional: { limit: number | null, remaining: number | null }, campaigns: { limit: number | null }, freeAllowance: { limit: number | null } | null } } };

export type AudiencePreviewQueryVariables = Exact<{
  input: AudiencePreviewInput;
}>;


export type AudiencePreviewQuery = { audiencePreview: { recipients: number, excluded: Array<{ reason: CampaignExclusionReason, count: number }> } };

export type PatchCampaignMutationVariables = Exact<{
  input: UpdateCampaignInput;
}>;


export type PatchCampaignMutation = { updateCampaign: { campaign: { name: string, description: string | null, subject: string, previewText: string | null, from: string, replyTo: string | null, type: EmailType, maxPerHour: number | null, updatedAt: string } } };

export type ScheduleCampaignMutationVariables = Exact<{
  input: SendCampaignInput;
}>;


export type ScheduleCampaignMutation = { sendCampaign: { campaign: { status: CampaignStatus, scheduledAt: string | null } } };

export type CampaignsInStatesQueryVariables = Exact<{
  filter?: CampaignFilter | null | undefined;
}>;


export type CampaignsInStatesQuery = { campaigns: { totalCount: number, nodes: Array<{ id: string }> } };

export type SendTemplateTestMutationVariables = Exact<{
  input: SendTemplateTestInput;
}>;


export type SendTemplateTestMutation = { sendTemplateTest: { message: string } };

export type CampaignLinksQueryVariables = Exact<{
  id: string;
}>;


export type CampaignLinksQuery = { campaign: { sentAt: string | null, finishedAt: string | null, links: Array<{ url: string | null, clicks: number, uniqueClicks: number, machineClicks: number }> } | null };

export type LinksOfCampaignsQueryVariables = Exact<{ [key: string]: never; }>;


export type LinksOfCampaignsQuery = { campaigns: { nodes: Array<{ links: Array<{ url: string | null }> }> } };

export type PreviewEmailQueryVariables = Exact<{
  input: PreviewEmailInput;
}>;


export type PreviewEmailQuery = { previewEmail: { subject: string, previewText: string | null, html: string, text: string, from: string | null, fromName: string, replyTo: string | null, missing: Array<string>, links: Array<string>, sizeBytes: number } };

export type RecipientsByQueryVariables = Exact<{
  id: string;
  filter?: CampaignRecipientFilter | null | undefined;
}>;


export type RecipientsByQuery = { campaign: { recipients: { totalCount: number, nodes: Array<{ address: string }> } } | null };

export type CreateCampaignMutationVariables = Exact<{
  input: CreateCampaignInput;
}>;


export type CreateCampaignMutation = { createCampaign: { campaign: { id: string, condition: unknown, audiencePreview: { recipients: number, excluded: Array<{ reason: CampaignExclusionReason, count: number }> } | null } } };

export type CreateVisualCampaignMutationVariables = Exact<{
  input: CreateCampaignInput;
}>;


export type CreateVisualCampaignMutation = { createCampaign: { campaign: { id: string, mode: ContentMode, body: string | null, document: unknown, updatedAt: string } } };

export type UpdateVisualCampaignMutationVariables = Exact<{
  input: UpdateCampaignInput;
}>;


export type UpdateVisualCampaignMutation = { updateCampaign: { campaign: { mode: ContentMode, body: string | null, document: unknown } } };

export type PreviewOfCampaignQueryVariables = Exact<{
  input: PreviewEmailInput;
}>;


export type PreviewOfCampaignQuery = { previewEmail: { subject: string, text: string } };

export type WhatBecameQueryVariables = Exact<{
  id: string;
}>;


export type WhatBecameQuery = { campaign: { stats: { totalRecipients: number, sentCount: number, failedCount: number, suppressedCount: number, waitingCount: number, cancelledCount: number } } | null };

export type PeopleOfFilterQueryVariables = Exact<{
  filter?: ContactFilter | null | undefined;
  orderBy?: ContactOrder | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
}>;


export type PeopleOfFilterQuery = { contacts: { totalCount: number | null, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ email: string }> } };

export type PeopleOfSegmentQueryVariables = Exact<{
  id: string;
  filter?: ContactFilter | null | undefined;
}>;


export type PeopleOfSegmentQuery = { segment: { contacts: { totalCount: number | null, nodes: Array<{ email: string }> } | null } | null };

export type UnsubscribeManyMutationVariables = Exact<{
  filter?: ContactFilter | null | undefined;
}>;


export type UnsubscribeManyMutation = { bulkUnsubscribeContacts: { jobId: string } };

export type DeleteManyMutationVariables = Exact<{
  filter?: ContactFilter | null | undefined;
}>;


export type DeleteManyMutation = { bulkDeleteContacts: { jobId: string } };

export type BulkDeleteMutationVariables = Exact<{
  input: BulkDeleteContactsInput;
}>;


export type BulkDeleteMutation = { bulkDeleteContacts: { jobId: string } };

export type BulkJobQueryVariables = Exact<{
  id: string;
}>;


export type BulkJobQuery = { job: { bulkResult: { totalRequested: number, successCount: number, failureCount: number, errorsOmitted: number, errors: Array<{ contactId: string }> } | null } | null };

export type DeleteFieldMutationVariables = Exact<{
  input: DeleteContactFieldInput;
}>;


export type DeleteFieldMutation = { deleteContactField: { deletedField: string, contactCount: number } };

export type FieldsQueryVariables = Exact<{ [key: string]: never; }>;


export type FieldsQuery = { contactFields: { totalCount: number, nodes: Array<{ field: string, type: ContactFieldType, isCustom: boolean, coverage: number, contactCount: number }> } };

export type OperatorsQueryVariables = Exact<{ [key: string]: never; }>;


export type OperatorsQuery = { contactFields: { nodes: Array<{ field: string, operators: Array<FilterOperator> }> }, workflowFields: { nodes: Array<{ field: string, operators: Array<FilterOperator> }> } };

export type FieldPageQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type FieldPageQuery = { contactFields: { nodes: Array<{ field: string, usage: { isUsed: boolean } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null, startCursor: string | null } } };

export type FieldUsesQueryVariables = Exact<{ [key: string]: never; }>;


export type FieldUsesQuery = { contactFields: { nodes: Array<{ field: string, usage: { isUsed: boolean, segments: { totalCount: number, nodes: Array<{ name: string }> } } }> } };

export type FieldUseCountsQueryVariables = Exact<{ [key: string]: never; }>;


export type FieldUseCountsQuery = { contactFields: { nodes: Array<{ field: string, usage: { segments: { totalCount: number } } }> } };

export type ValuesQueryVariables = Exact<{
  field: string;
  limit?: number | null | undefined;
}>;


export type ValuesQuery = { contactFieldValues: Array<unknown> };

export type CheckImportQueryVariables = Exact<{
  content: string;
}>;


export type CheckImportQuery = { checkImport: { rows: number, new: number, existing: number, errorsOmitted: number, fields: Array<{ name: string, type: ContactFieldType, isNew: boolean }>, errors: Array<{ row: number, email: string, error: string }> } };

export type ImportContactsMutationVariables = Exact<{
  content: string;
}>;


export type ImportContactsMutation = { importContacts: { jobId: string, job: { id: string, kind: JobKind, state: JobState } | null } };

export type ImportResultQueryVariables = Exact<{
  id: string;
}>;


export type ImportResultQuery = { job: { state: JobState, importResult: { totalRows: number, createdCount: number, updatedCount: number, failureCount: number } | null } | null };

export type ImportSuppressionsMutationVariables = Exact<{
  input: ImportSuppressionsInput;
}>;


export type ImportSuppressionsMutation = { importSuppressions: { added: number, alreadyThere: number, errorsOmitted: number, errors: Array<{ row: number, email: string, error: string }> } };

export type LookupQueryVariables = Exact<{
  emails: Array<string> | string;
}>;


export type LookupQuery = { contactLookup: { notFound: Array<string>, found: Array<{ email: string, contact: { id: string } | null }> } };

export type OrderedQueryVariables = Exact<{
  orderBy?: ContactOrder | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type OrderedQuery = { contacts: { nodes: Array<{ email: string }>, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null } } };

export type ChangeContactMutationVariables = Exact<{
  input: UpdateContactInput;
}>;


export type ChangeContactMutation = { updateContact: { contact: { id: string, email: string, subscribed: boolean, data: unknown } } };

export type FilteredEmailsQueryVariables = Exact<{
  filter?: EmailFilter | null | undefined;
}>;


export type FilteredEmailsQuery = { emails: { totalCount: number, nodes: Array<{ id: string }> } };

export type RareEmailsQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type RareEmailsQuery = { emails: { nodes: Array<{ id: string }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type EmailPartsQueryVariables = Exact<{
  first?: number | null | undefined;
}>;


export type EmailPartsQuery = { emails: { nodes: Array<{ from: string | null, fromName: string | null, replyTo: string | null, type: EmailType | null, tags: Array<string>, cc: Array<{ email: string, name: string | null }>, bcc: Array<{ email: string, name: string | null }>, message: { html: string | null, text: string | null, headers: Array<{ name: string, value: string }>, attachments: Array<{ filename: string | null, contentType: string, size: number }> } | null }> } };

export type UsageOfEventQueryVariables = Exact<{
  name: string;
}>;


export type UsageOfEventQuery = { eventUsage: { name: string, totalCount: number, uniqueContacts: number, isUsed: boolean, segments: { totalCount: number, nodes: Array<{ name: string }> }, campaigns: { totalCount: number, nodes: Array<{ name: string }> } } };

export type JobsQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
  filter?: JobFilter | null | undefined;
}>;


export type JobsQuery = { jobs: { totalCount: number, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, endCursor: string | null, startCursor: string | null }, nodes: Array<{ id: string, kind: JobKind, state: JobState, progress: number, importResult: { totalRows: number } | null, bulkResult: { totalRequested: number } | null }> } };

export type WorkOfJobsQueryVariables = Exact<{ [key: string]: never; }>;


export type WorkOfJobsQuery = { jobs: { nodes: Array<{ operation: BulkOperation | null, done: number, total: number | null }> } };

export type CreateCountedMutationVariables = Exact<{
  input: CreateSegmentInput;
}>;


export type CreateCountedMutation = { createSegment: { segment: { id: string, memberCount: number, countedAt: string | null } } };

export type ChangeCountedMutationVariables = Exact<{
  input: UpdateSegmentInput;
}>;


export type ChangeCountedMutation = { updateSegment: { segment: { memberCount: number, countedAt: string | null } } };

export type CountAgainMutationVariables = Exact<{
  id: string;
}>;


export type CountAgainMutation = { refreshSegment: { segment: { memberCount: number, countedAt: string | null, updatedAt: string } } };

export type ComputeCountedMutationVariables = Exact<{
  id: string;
}>;


export type ComputeCountedMutation = { computeSegment: { segment: { memberCount: number, countedAt: string | null } } };

export type EventsOfSegmentQueryVariables = Exact<{
  id: string;
}>;


export type EventsOfSegmentQuery = { segment: { entryEvent: string, exitEvent: string } | null };

export type CreateSegmentMutationVariables = Exact<{
  input: CreateSegmentInput;
}>;


export type CreateSegmentMutation = { createSegment: { segment: { id: string, name: string, type: SegmentType, condition: unknown, trackMembership: boolean, memberCount: number, description: string | null } } };

export type UpdateSegmentMutationVariables = Exact<{
  input: UpdateSegmentInput;
}>;


export type UpdateSegmentMutation = { updateSegment: { segment: { id: string, name: string, condition: unknown, memberCount: number, updatedAt: string } } };

export type DeleteSegmentMutationVariables = Exact<{
  id: string;
}>;


export type DeleteSegmentMutation = { deleteSegment: { deletedSegmentId: string } };

export type AddMembersMutationVariables = Exact<{
  input: AddSegmentMembersInput;
}>;


export type AddMembersMutation = { addSegmentMembers: { added: number, created: number, alreadyMembers: number, notFound: Array<string>, segment: { memberCount: number } } };

export type RemoveMembersMutationVariables = Exact<{
  input: RemoveSegmentMembersInput;
}>;


export type RemoveMembersMutation = { removeSegmentMembers: { removed: number, segment: { memberCount: number } } };

export type ComputeSegmentMutationVariables = Exact<{
  id: string;
}>;


export type ComputeSegmentMutation = { computeSegment: { added: number, removed: number, total: number, segment: { memberCount: number } }, refreshSegment: { segment: { memberCount: number } } };

export type ReadConditionQueryVariables = Exact<{
  id: string;
}>;


export type ReadConditionQuery = { segment: { condition: unknown } | null };

export type GetSegmentQueryVariables = Exact<{
  id: string;
  contactId: string;
}>;


export type GetSegmentQuery = { segment: { name: string, issues: Array<{ path: string, message: string }>, explanation: { matches: boolean, leaves: Array<{ path: string, field: string, operator: FilterOperator, value: unknown, unit: FilterUnit | null, actual: unknown, matches: boolean }> } | null } | null, node:
    | { __typename: 'Campaign', id: string }
    | { __typename: 'Contact', id: string }
    | { __typename: 'Domain', id: string }
    | { __typename: 'Email', id: string }
    | { __typename: 'Event', id: string }
    | { __typename: 'Job', id: string }
    | { __typename: 'Project', id: string }
    | { __typename: 'Segment', id: string }
    | { __typename: 'Template', id: string }
    | { __typename: 'Upload', id: string }
    | { __typename: 'Workflow', id: string }
    | { __typename: 'WorkflowExecution', id: string }
   | null };

export type ContactsOfSegmentQueryVariables = Exact<{
  id: string;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type ContactsOfSegmentQuery = { segment: { contacts: { totalCount: number | null, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null }, nodes: Array<{ email: string, events: { nodes: Array<{ name: string }> } }> } | null } | null };

export type SegmentsOfQueryVariables = Exact<{ [key: string]: never; }>;


export type SegmentsOfQuery = { contacts: { nodes: Array<{ email: string, segments: { totalCount: number, nodes: Array<{ name: string, memberCount: number }> } }> } };

export type ListSegmentsQueryVariables = Exact<{ [key: string]: never; }>;


export type ListSegmentsQuery = { segments: { totalCount: number, nodes: Array<{ name: string, contacts: { nodes: Array<{ email: string }> } | null }> } };

export type ExplainConditionQueryVariables = Exact<{
  condition: ConditionInput;
  contactId: string;
}>;


export type ExplainConditionQuery = { conditionExplanation: { matches: boolean, leaves: Array<{ path: string, field: string, operator: FilterOperator, actual: unknown, matches: boolean }> } };

export type SegmentsOfEachQueryVariables = Exact<{ [key: string]: never; }>;


export type SegmentsOfEachQuery = { contacts: { nodes: Array<{ email: string, segments: { totalCount: number, nodes: Array<{ name: string }> } }> } };

export type SegmentUsesQueryVariables = Exact<{
  id: string;
}>;


export type SegmentUsesQuery = { segment: { usage: { canDelete: boolean, campaigns: { totalCount: number, nodes: Array<{ id: string, status: CampaignStatus }> } } } | null };

export type SuppressMutationVariables = Exact<{
  input: SuppressAddressesInput;
}>;


export type SuppressMutation = { suppressAddresses: { added: number, alreadyThere: number, suppressions: Array<{ email: string, reason: SuppressionReason }> } };

export type SuppressedQueryVariables = Exact<{
  id: string;
  filter?: SuppressionFilter | null | undefined;
  after?: string | null | undefined;
}>;


export type SuppressedQuery = { contact: { suppression: { reason: SuppressionReason } | null } | null, contacts: { nodes: Array<{ suppression: { email: string } | null }> }, suppressions: { totalCount: number, nodes: Array<{ email: string, reason: SuppressionReason, source: SuppressionSource, emailId: string | null, since: string, contact: { id: string } | null, causedBy: { id: string } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type UnsuppressMutationVariables = Exact<{
  input: DeleteSuppressionInput;
}>;


export type UnsuppressMutation = { deleteSuppression: { deletedEmail: string } };

export type ExecutionCountsQueryVariables = Exact<{
  id: string;
}>;


export type ExecutionCountsQuery = { workflow: { executionCounts: { running: number, waiting: number, completed: number, exited: number, failed: number, cancelled: number } | null, steps: Array<{ name: string, active: number | null, entered: number }> } | null };

export type CountsOfWorkflowsQueryVariables = Exact<{ [key: string]: never; }>;


export type CountsOfWorkflowsQuery = { workflows: { nodes: Array<{ executionCounts: { running: number } | null, steps: Array<{ active: number | null }> }> } };

export type GraphsOfExecutionsQueryVariables = Exact<{
  id: string;
}>;


export type GraphsOfExecutionsQuery = { workflow: { executions: { nodes: Array<{ version: number, graph: { steps: Array<{ id: string, name: string, type: WorkflowStepType }>, transitions: Array<{ fromStepId: string, toStepId: string, branch: string | null, name: string }> | null } | null }> } } | null };

export type StartExecutionMutationVariables = Exact<{
  input: StartWorkflowExecutionInput;
}>;


export type StartExecutionMutation = { startWorkflowExecution: { execution: { id: string, status: WorkflowExecutionStatus, context: unknown, version: number, currentStep: { name: string, type: WorkflowStepType } | null, contact: { email: string } | null, workflow: { name: string } | null } } };

export type CancelExecutionMutationVariables = Exact<{
  input: CancelWorkflowExecutionInput;
}>;


export type CancelExecutionMutation = { cancelWorkflowExecution: { execution: { status: WorkflowExecutionStatus, exitReason: string | null } } };

export type CancelExecutionsMutationVariables = Exact<{
  id: string;
}>;


export type CancelExecutionsMutation = { cancelWorkflowExecutions: { cancelled: number, workflow: { id: string } } };

export type ReadExecutionQueryVariables = Exact<{
  id: string;
  workflow: string;
  contact: string;
}>;


export type ReadExecutionQuery = { workflowExecution: { status: WorkflowExecutionStatus, exitReason: string | null, completedAt: string | null, stepExecutions: Array<{ status: WorkflowStepStatus, input: unknown, output: unknown, branch: string | null, attempts: number, step: { name: string, type: WorkflowStepType } | null }> } | null, node:
    | { __typename: 'Campaign', id: string }
    | { __typename: 'Contact', id: string }
    | { __typename: 'Domain', id: string }
    | { __typename: 'Email', id: string }
    | { __typename: 'Event', id: string }
    | { __typename: 'Job', id: string }
    | { __typename: 'Project', id: string }
    | { __typename: 'Segment', id: string }
    | { __typename: 'Template', id: string }
    | { __typename: 'Upload', id: string }
    | { __typename: 'Workflow', id: string }
    | { __typename: 'WorkflowExecution', id: string }
   | null, workflow: { steps: Array<{ name: string, entered: number, completed: number, failed: number }>, executions: { totalCount: number, edges: Array<{ node: { id: string } }> } } | null, contact: { executions: { totalCount: number, edges: Array<{ node: { id: string, status: WorkflowExecutionStatus, workflow: { name: string } | null } }> } } | null };

export type EmailsOfStepsQueryVariables = Exact<{
  id: string;
}>;


export type EmailsOfStepsQuery = { workflowExecution: { stepExecutions: Array<{ email: { to: string, subject: string, execution: { id: string } | null } | null }> } | null, emails: { totalCount: number, nodes: Array<{ subject: string }> } };

export type NestedExecutionsQueryVariables = Exact<{
  workflows: number;
  first?: number | null | undefined;
  last?: number | null | undefined;
  after?: string | null | undefined;
  before?: string | null | undefined;
  filter?: WorkflowExecutionFilter | null | undefined;
}>;


export type NestedExecutionsQuery = { workflows: { nodes: Array<{ name: string, executions: { totalCount: number, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, endCursor: string | null, startCursor: string | null }, nodes: Array<{ id: string, status: WorkflowExecutionStatus, contact: { id: string, email: string } | null }> } }> } };

export type ExecutionRelationsQueryVariables = Exact<{ [key: string]: never; }>;


export type ExecutionRelationsQuery = { activity: { nodes: Array<{ type: ActivityType, execution: { id: string, workflow: { name: string } | null } | null }> }, emails: { nodes: Array<{ subject: string, execution: { id: string, status: WorkflowExecutionStatus, workflow: { name: string } | null, contact: { email: string } | null } | null }> }, events: { nodes: Array<{ name: string, execution: { id: string } | null }> } };

export type WorkflowFieldsQueryVariables = Exact<{
  eventName?: string | null | undefined;
}>;


export type WorkflowFieldsQuery = { workflowFields: { totalCount: number, nodes: Array<{ field: string, type: ContactFieldType, category: WorkflowFieldCategory }> } };

export type MoveWorkflowStepsMutationVariables = Exact<{
  input: MoveWorkflowStepsInput;
}>;


export type MoveWorkflowStepsMutation = { moveWorkflowSteps: { workflow: { id: string, version: number, steps: Array<{ id: string, updatedAt: string, position: { x: number, y: number } }> } } };

export type SpellStepMutationVariables = Exact<{
  input: CreateWorkflowStepInput;
}>;


export type SpellStepMutation = { createWorkflowStep: { step: { id: string, config: unknown } } };

export type RespellStepMutationVariables = Exact<{
  input: UpdateWorkflowStepInput;
}>;


export type RespellStepMutation = { updateWorkflowStep: { step: { config: unknown } } };

export type CreateWorkflowMutationVariables = Exact<{
  input: CreateWorkflowInput;
}>;


export type CreateWorkflowMutation = { createWorkflow: { workflow: { id: string, name: string, enabled: boolean, triggerType: WorkflowTrigger, exitEvents: Array<string>, version: number, triggerConfig: { eventName: string } | null, issues: Array<{ code: WorkflowIssueCode }> } } };

export type UpdateWorkflowMutationVariables = Exact<{
  input: UpdateWorkflowInput;
}>;


export type UpdateWorkflowMutation = { updateWorkflow: { workflow: { id: string, name: string, enabled: boolean, triggerType: WorkflowTrigger, version: number } } };

export type DuplicateWorkflowMutationVariables = Exact<{
  id: string;
}>;


export type DuplicateWorkflowMutation = { duplicateWorkflow: { workflow: { name: string, enabled: boolean, steps: Array<{ type: WorkflowStepType }> } } };

export type DeleteWorkflowMutationVariables = Exact<{
  id: string;
}>;


export type DeleteWorkflowMutation = { deleteWorkflow: { deletedWorkflowId: string } };

export type AddStepMutationVariables = Exact<{
  input: CreateWorkflowStepInput;
}>;


export type AddStepMutation = { createWorkflowStep: { step: { id: string, type: WorkflowStepType, name: string, config: unknown, position: { x: number, y: number }, template: { name: string } | null }, workflow: { issues: Array<{ code: WorkflowIssueCode, stepId: string | null }>, steps: Array<{ id: string }>, transitions: Array<{ branch: string | null, fromStepId: string, toStepId: string, from: { id: string } }> } } };

export type ChangeStepMutationVariables = Exact<{
  input: UpdateWorkflowStepInput;
}>;


export type ChangeStepMutation = { updateWorkflowStep: { step: { id: string, name: string, config: unknown, template: { id: string } | null }, workflow: { version: number, issues: Array<{ code: WorkflowIssueCode, severity: IssueSeverity }> } } };

export type RemoveStepMutationVariables = Exact<{
  input: DeleteWorkflowStepInput;
}>;


export type RemoveStepMutation = { deleteWorkflowStep: { deletedStepId: string, workflow: { steps: Array<{ id: string }> } } };

export type LeadMutationVariables = Exact<{
  input: CreateWorkflowTransitionInput;
}>;


export type LeadMutation = { createWorkflowTransition: { created: boolean, transition: { id: string, branch: string | null, priority: number, from: { id: string }, to: { id: string, workflow: { name: string } } }, workflow: { id: string } } };

export type UnleadMutationVariables = Exact<{
  input: DeleteWorkflowTransitionInput;
}>;


export type UnleadMutation = { deleteWorkflowTransition: { deletedTransitionId: string, workflow: { id: string } } };

export type ReadWorkflowQueryVariables = Exact<{
  id: string;
}>;


export type ReadWorkflowQuery = { workflow: { name: string, description: string | null, allowReentry: boolean, issues: Array<{ code: WorkflowIssueCode, severity: IssueSeverity, message: string, stepId: string | null }>, steps: Array<{ id: string, type: WorkflowStepType, name: string, config: unknown, template: { name: string } | null }>, transitions: Array<{ branch: string | null, fromStepId: string, to: { id: string } }> } | null, node:
    | { __typename: 'Campaign', id: string }
    | { __typename: 'Contact', id: string }
    | { __typename: 'Domain', id: string }
    | { __typename: 'Email', id: string }
    | { __typename: 'Event', id: string }
    | { __typename: 'Job', id: string }
    | { __typename: 'Project', id: string }
    | { __typename: 'Segment', id: string }
    | { __typename: 'Template', id: string }
    | { __typename: 'Upload', id: string }
    | { __typename: 'Workflow', id: string }
    | { __typename: 'WorkflowExecution', id: string }
   | null };

export type ListWorkflowsQueryVariables = Exact<{
  filter?: WorkflowFilter | null | undefined;
  first?: number | null | undefined;
}>;


export type ListWorkflowsQuery = { workflows: { totalCount: number, nodes: Array<{ id: string, name: string, issues: Array<{ code: WorkflowIssueCode }>, steps: Array<{ name: string }>, transitions: Array<{ priority: number }> }> } };

export type EnableBeyondTheLimitMutationVariables = Exact<{
  id: string;
}>;


export type EnableBeyondTheLimitMutation = { updateWorkflow: { workflow: { id: string } } };

export type UsesInWorkflowsQueryVariables = Exact<{
  event: string;
}>;


export type UsesInWorkflowsQuery = { contactFields: { nodes: Array<{ field: string, usage: { isUsed: boolean, workflows: { totalCount: number, nodes: Array<{ name: string }> } } }> }, eventUsage: { isUsed: boolean, workflows: { nodes: Array<{ id: string, name: string }> } } };

export type StepsOfTemplateQueryVariables = Exact<{
  id: string;
}>;


export type StepsOfTemplateQuery = { template: { workflowSteps: { totalCount: number, nodes: Array<{ id: string, name: string, workflow: { name: string } }> } } | null };

export type UpsertMutationVariables = Exact<{
  input: UpsertContactInput;
}>;


export type UpsertMutation = { upsertContact: { created: boolean, contact: { id: string, email: string, subscribed: boolean, data: unknown, createdAt: string } } };

export type GetContactQueryVariables = Exact<{
  id: string;
}>;


export type GetContactQuery = { contact: { id: string, email: string } | null };

export type GetNodeQueryVariables = Exact<{
  id: string;
}>;


export type GetNodeQuery = { node:
    | { __typename: 'Campaign', id: string }
    | { __typename: 'Contact', id: string }
    | { __typename: 'Domain', id: string }
    | { __typename: 'Email', id: string }
    | { __typename: 'Event', id: string }
    | { __typename: 'Job', id: string }
    | { __typename: 'Project', id: string }
    | { __typename: 'Segment', id: string }
    | { __typename: 'Template', id: string }
    | { __typename: 'Upload', id: string }
    | { __typename: 'Workflow', id: string }
    | { __typename: 'WorkflowExecution', id: string }
   | null };

export type ListContactsQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
  filter?: ContactFilter | null | undefined;
}>;


export type ListContactsQuery = { contacts: { totalCount: number | null, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null }, nodes: Array<{ email: string }> } };

export type SendMutationVariables = Exact<{
  input: SendEmailInput;
}>;


export type SendMutation = { sendEmail: { replayed: boolean, emails: Array<{ contact: { email: string, subscribed: boolean } | null, email: { id: string, status: EmailStatus, subject: string, source: EmailSource, contact: { id: string }, events: Array<{ name: string }> } | null }> } };

export type TrackMutationVariables = Exact<{
  input: TrackEventInput;
}>;


export type TrackMutation = { trackEvent: { contact: { email: string } | null, event: { id: string, name: string, data: unknown } | null } };

export type EverythingQueryVariables = Exact<{ [key: string]: never; }>;


export type EverythingQuery = { contacts: { nodes: Array<{ email: string, emails: { totalCount: number, nodes: Array<{ subject: string, contact: { email: string } }> }, events: { totalCount: number, edges: Array<{ cursor: string, node: { name: string, email: { id: string } | null, contact: { email: string } | null } }> } }> } };

export type CreateTemplateMutationVariables = Exact<{
  input: CreateTemplateInput;
}>;


export type CreateTemplateMutation = { createTemplate: { template: { id: string, name: string, type: EmailType, usage: { emailsSent: number } } } };

export type UpdateTemplateMutationVariables = Exact<{
  input: UpdateTemplateInput;
}>;


export type UpdateTemplateMutation = { updateTemplate: { template: { description: string | null, subject: string } } };

export type DeleteContactMutationVariables = Exact<{
  id: string;
}>;


export type DeleteContactMutation = { deleteContact: { deletedContactId: string } };

export type RegenerateKeysMutationVariables = Exact<{ [key: string]: never; }>;


export type RegenerateKeysMutation = { regenerateKeys: { keys: { publicKey: string, secretKey: string | null } } };

export type ListsQueryVariables = Exact<{
  contacts?: ContactFilter | null | undefined;
  events?: EventFilter | null | undefined;
  activity?: ActivityFilter | null | undefined;
  templates?: TemplateFilter | null | undefined;
}>;


export type ListsQuery = { contacts: { totalCount: number | null, nodes: Array<{ id: string }> }, events: { totalCount: number, nodes: Array<{ id: string }> }, activity: { totalCount: number, nodes: Array<{ id: string }> }, templates: { totalCount: number, nodes: Array<{ id: string }> } };

export type EmailsQueryVariables = Exact<{
  filter?: EmailFilter | null | undefined;
}>;


export type EmailsQuery = { emails: { totalCount: number, nodes: Array<{ id: string, subject: string }> } };

export type EventsOfQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type EventsOfQuery = { contacts: { nodes: Array<{ events: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ name: string }> } }> } };

export type InviteMemberMutationVariables = Exact<{
  input: InviteMemberInput;
}>;


export type InviteMemberMutation = { inviteMember: { invitationUrl: string | null, invitation: { id: string, email: string, role: Role } } };

export type UpdateMemberMutationVariables = Exact<{
  input: UpdateMemberInput;
}>;


export type UpdateMemberMutation = { updateMember: { member: { userId: string, role: Role } } };

export type RemoveMemberMutationVariables = Exact<{
  input: RemoveMemberInput;
}>;


export type RemoveMemberMutation = { removeMember: { removedUserId: string } };

export type RevokeInvitationMutationVariables = Exact<{
  input: RevokeInvitationInput;
}>;


export type RevokeInvitationMutation = { revokeInvitation: { revokedInvitationId: string } };

export type MembersQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type MembersQuery = { project: { members: { totalCount: number, nodes: Array<{ email: string }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } }, invitations: Array<{ email: string }> } };

export type DomainsQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type DomainsQuery = { domains: { totalCount: number, nodes: Array<{ domain: string }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type MyProjectsQueryVariables = Exact<{
  last?: number | null | undefined;
}>;


export type MyProjectsQuery = { viewer: { projects: { totalCount: number, nodes: Array<{ name: string }>, pageInfo: { hasPreviousPage: boolean } } } | null };

export type SendOneMutationVariables = Exact<{
  input: SendEmailInput;
}>;


export type SendOneMutation = { sendEmail: { emails: Array<{ email: { subject: string } | null }> } };

export type FeedQueryVariables = Exact<{
  first?: number | null | undefined;
}>;


export type FeedQuery = { activity: { nodes: Array<{ type: ActivityType, contactId: string | null, contact: { email: string, subscribed: boolean } | null, email: { subject: string, template: { name: string } | null, contact: { email: string } } | null, event: { name: string, contact: { email: string } | null, email: { status: EmailStatus, template: { name: string } | null } | null } | null }> } };

export type EmailsWithRelationsQueryVariables = Exact<{
  first?: number | null | undefined;
}>;


export type EmailsWithRelationsQuery = { emails: { nodes: Array<{ template: { name: string, usage: { emailsSent: number } } | null, contact: { email: string }, events: Array<{ name: string, contact: { email: string } | null, email: { id: string } | null }> }> } };

export type LogQueryVariables = Exact<{
  first?: number | null | undefined;
}>;


export type LogQuery = { events: { nodes: Array<{ name: string, contactId: string | null, emailId: string | null, contact: { email: string } | null, email: { to: string, template: { name: string } | null } | null }> } };

export type SendToManyMutationVariables = Exact<{
  input: SendEmailInput;
}>;


export type SendToManyMutation = { sendEmail: { emails: Array<{ contactId: string, emailId: string, contact: { email: string } | null, email: { status: EmailStatus, template: { name: string } | null } | null }> } };

export type ReadConfigQueryVariables = Exact<{ [key: string]: never; }>;


export type ReadConfigQuery = { config: { environment: Environment, apiUrl: string, dashboardUrl: string | null, billingEnabled: boolean, signupsEnabled: boolean, verificationRequired: boolean, accountEmailsEnabled: boolean, oauthProviders: Array<OauthProvider>, maxAttachmentBytes: number, maxImageBytes: number, maxImportBytes: number } };

export type ReadInvitationQueryVariables = Exact<{
  token: string;
}>;


export type ReadInvitationQuery = { invitation: { projectName: string, email: string, role: Role, hasAccount: boolean } | null };

export type AcceptInvitationMutationVariables = Exact<{
  input: AcceptInvitationInput;
}>;


export type AcceptInvitationMutation = { acceptInvitation: { user: { email: string }, project: { id: string, name: string, role: Role | null, webhookSecret: string | null } } };

export type JoinProjectMutationVariables = Exact<{
  input: JoinProjectInput;
}>;


export type JoinProjectMutation = { joinProject: { project: { id: string, role: Role | null } } };

export type UsesOfSegmentsQueryVariables = Exact<{ [key: string]: never; }>;


export type UsesOfSegmentsQuery = { segments: { nodes: Array<{ name: string, usage: { canDelete: boolean, segments: { nodes: Array<{ name: string }> }, campaigns: { totalCount: number, nodes: Array<{ name: string }> }, workflows: { nodes: Array<{ name: string }> } } }> } };

export type UsesOfDomainsQueryVariables = Exact<{ [key: string]: never; }>;


export type UsesOfDomainsQuery = { domains: { nodes: Array<{ domain: string, usage: { canDelete: boolean, templates: { totalCount: number, nodes: Array<{ name: string }> }, campaigns: { nodes: Array<{ name: string }> } } }> } };

export class TypedDocumentString<TResult, TVariables>
  extends String
  implements DocumentTypeDecoration<TResult, TVariables>
{
  __apiType?: NonNullable<DocumentTypeDecoration<TResult, TVariables>['__apiType']>;
  private value: string;
  public __meta__?: Record<string, any> | undefined;

  constructor(value: string, __meta__?: Record<string, any> | undefined) {
    super(value);
    this.value = value;
    this.__meta__ = __meta__;
  }

  override toString(): string & DocumentTypeDecoration<TResult, TVariables> {
    return this.value;
  }
}

export const EmailTimelinesDocument = new TypedDocumentString(`
    query EmailTimelines {
  emails(first: 20) {
    nodes {
      events {
        id
      }
      timeline {
        id
        event {
          id
        }
        type
        timestamp
        reason
        bounceType
        link
        machine
        machineReason
      }
    }
  }
}
    `) as unknown as TypedDocumentString<EmailTimelinesQuery, EmailTimelinesQueryVariables>;
export const EndOfTimelineDocument = new TypedDocumentString(`
    query EndOfTimeline {
  emails(first: 1) {
    nodes {
      opens
      events {
        name
      }
      timeline {
        type
      }
      eventsOmitted
    }
  }
}
    `) as unknown as TypedDocumentString<EndOfTimelineQuery, EndOfTimelineQueryVariables>;
export const MetadataOfActivityDocument = new TypedDocumentString(`
    query MetadataOfActivity {
  activity(first: 20) {
    nodes {
      type
      metadata
    }
  }
}
    `) as unknown as TypedDocumentString<MetadataOfActivityQuery, MetadataOfActivityQueryVariables>;
export const UpcomingDocument = new TypedDocumentString(`
    query Upcoming($limit: Int, $daysAhead: Int) {
  upcomingActivity(limit: $limit, daysAhead: $daysAhead) {
    id
    type
    timestamp
    campaign {
      id
      name
    }
    execution {
      id
      status
      workflow {
        name
      }
      currentStep {
        name
      }
      contact {
        email
      }
    }
    contact {
      email
    }
  }
}
    `) as unknown as TypedDocumentString<UpcomingQuery, UpcomingQueryVariables>;
export const TopCampaignsDocument = new TypedDocumentString(`
    query TopCampaigns($limit: Int, $metric: CampaignMetric, $startDate: Date, $endDate: Date, $timezone: String) {
  topCampaigns(
    limit: $limit
    metric: $metric
    startDate: $startDate
    endDate: $endDate
    timezone: $timezone
  ) {
    id
    name
    stats {
      sentCount
      openRate
      machineOpens
    }
  }
}
    `) as unknown as TypedDocumentString<TopCampaignsQuery, TopCampaignsQueryVariables>;
export const CampaignSummaryDocument = new TypedDocumentString(`
    query CampaignSummary {
  campaignSummary {
    total
    active
    completed
    averageOpenRate
    averageClickRate
    campaigns {
      id
      status
      stats {
        clickRate
      }
    }
  }
}
    `) as unknown as TypedDocumentString<CampaignSummaryQuery, CampaignSummaryQueryVariables>;
export const TopEventsDocument = new TypedDocumentString(`
    query TopEvents($limit: Int, $startDate: Date, $endDate: Date, $tracked: Boolean) {
  topEvents(
    limit: $limit
    startDate: $startDate
    endDate: $endDate
    tracked: $tracked
  ) {
    name
    count
    trend
  }
}
    `) as unknown as TypedDocumentString<TopEventsQuery, TopEventsQueryVariables>;
export const SeriesDocument = new TypedDocumentString(`
    query Series($startDate: Date, $endDate: Date, $timezone: String, $interval: TimeseriesInterval) {
  timeseries(
    startDate: $startDate
    endDate: $endDate
    timezone: $timezone
    interval: $interval
  ) {
    start
    day
    sent
    delivered
    opened
    clicked
    bounced
    machineOpened
    machineClicked
    complained
    failed
    unsubscribed
  }
}
    `) as unknown as TypedDocumentString<SeriesQuery, SeriesQueryVariables>;
export const EmailTotalsDocument = new TypedDocumentString(`
    query EmailTotals($startDate: Date, $endDate: Date, $timezone: String) {
  emailTotals(startDate: $startDate, endDate: $endDate, timezone: $timezone) {
    startDate
    endDate
    sent
    delivered
    opened
    clicked
    bounced
    complained
    failed
    unsubscribed
    deliveryRate
    openRate
    clickRate
    bounceRate
    complaintRate
    previous {
      startDate
      endDate
      sent
      openRate
    }
  }
}
    `) as unknown as TypedDocumentString<EmailTotalsQuery, EmailTotalsQueryVariables>;
export const EventCountsDocument = new TypedDocumentString(`
    query EventCounts($startDate: Date, $endDate: Date) {
  eventCounts(startDate: $startDate, endDate: $endDate) {
    name
    count
  }
}
    `) as unknown as TypedDocumentString<EventCountsQuery, EventCountsQueryVariables>;
export const ActivityStatsDocument = new TypedDocumentString(`
    query ActivityStats($startDate: Date, $endDate: Date) {
  activityStats(startDate: $startDate, endDate: $endDate) {
    totalEvents
  }
}
    `) as unknown as TypedDocumentString<ActivityStatsQuery, ActivityStatsQueryVariables>;
export const CapsOfProjectDocument = new TypedDocumentString(`
    query CapsOfProject {
  project {
    billingLimits {
      freeAllowance {
        category
        limit
        usage
        remaining
        isBlocked
      }
      transactional {
        category
        limit
        usage
        remaining
      }
      campaigns {
        category
        limit
        usage
        remaining
      }
    }
  }
}
    `) as unknown as TypedDocumentString<CapsOfProjectQuery, CapsOfProjectQueryVariables>;
export const SetCapsDocument = new TypedDocumentString(`
    mutation SetCaps($input: UpdateBillingLimitsInput!) {
  updateBillingLimits(input: $input) {
    billingLimits {
      transactional {
        limit
        remaining
      }
      campaigns {
        limit
      }
      freeAllowance {
        limit
      }
    }
  }
}
    `) as unknown as TypedDocumentString<SetCapsMutation, SetCapsMutationVariables>;
export const AudiencePreviewDocument = new TypedDocumentString(`
    query AudiencePreview($input: AudiencePreviewInput!) {
  audiencePreview(input: $input) {
    recipients
    excluded {
      reason
      count
    }
  }
}
    `) as unknown as TypedDocumentString<AudiencePreviewQuery, AudiencePreviewQueryVariables>;
export const PatchCampaignDocument = new TypedDocumentString(`
    mutation PatchCampaign($input: UpdateCampaignInput!) {
  updateCampaign(input: $input) {
    campaign {
      name
      description
      subject
      previewText
      from
      replyTo
      type
      maxPerHour
      updatedAt
    }
  }
}
    `) as unknown as TypedDocumentString<PatchCampaignMutation, PatchCampaignMutationVariables>;
export const ScheduleCampaignDocument = new TypedDocumentString(`
    mutation ScheduleCampaign($input: SendCampaignInput!) {
  sendCampaign(input: $input) {
    campaign {
      status
      scheduledAt
    }
  }
}
    `) as unknown as TypedDocumentString<ScheduleCampaignMutation, ScheduleCampaignMutationVariables>;
export const CampaignsInStatesDocument = new TypedDocumentString(`
    query CampaignsInStates($filter: CampaignFilter) {
  campaigns(filter: $filter) {
    totalCount
    nodes {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<CampaignsInStatesQuery, CampaignsInStatesQueryVariables>;
export const SendTemplateTestDocument = new TypedDocumentString(`
    mutation SendTemplateTest($input: SendTemplateTestInput!) {
  sendTemplateTest(input: $input) {
    message
  }
}
    `) as unknown as TypedDocumentString<SendTemplateTestMutation, SendTemplateTestMutationVariables>;
export const CampaignLinksDocument = new TypedDocumentString(`
    query CampaignLinks($id: ID!) {
  campaign(id: $id) {
    sentAt
    finishedAt
    links {
      url
      clicks
      uniqueClicks
      machineClicks
    }
  }
}
    `) as unknown as TypedDocumentString<CampaignLinksQuery, CampaignLinksQueryVariables>;
export const LinksOfCampaignsDocument = new TypedDocumentString(`
    query LinksOfCampaigns {
  campaigns(first: 3) {
    nodes {
      links {
        url
      }
    }
  }
}
    `) as unknown as TypedDocumentString<LinksOfCampaignsQuery, LinksOfCampaignsQueryVariables>;
export const PreviewEmailDocument = new TypedDocumentString(`
    query PreviewEmail($input: PreviewEmailInput!) {
  previewEmail(input: $input) {
    subject
    previewText
    html
    text
    from
    fromName
    replyTo
    missing
    links
    sizeBytes
  }
}
    `) as unknown as TypedDocumentString<PreviewEmailQuery, PreviewEmailQueryVariables>;
export const RecipientsByDocument = new TypedDocumentString(`
    query RecipientsBy($id: ID!, $filter: CampaignRecipientFilter) {
  campaign(id: $id) {
    recipients(first: 5, filter: $filter) {
      totalCount
      nodes {
        address
      }
    }
  }
}
    `) as unknown as TypedDocumentString<RecipientsByQuery, RecipientsByQueryVariables>;
export const CreateCampaignDocument = new TypedDocumentString(`
    mutation CreateCampaign($input: CreateCampaignInput!) {
  createCampaign(input: $input) {
    campaign {
      id
      condition
      audiencePreview {
        recipients
        excluded {
          reason
          count
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<CreateCampaignMutation, CreateCampaignMutationVariables>;
export const CreateVisualCampaignDocument = new TypedDocumentString(`
    mutation CreateVisualCampaign($input: CreateCampaignInput!) {
  createCampaign(input: $input) {
    campaign {
      id
      mode
      body
      document
      updatedAt
    }
  }
}
    `) as unknown as TypedDocumentString<CreateVisualCampaignMutation, CreateVisualCampaignMutationVariables>;
export const UpdateVisualCampaignDocument = new TypedDocumentString(`
    mutation UpdateVisualCampaign($input: UpdateCampaignInput!) {
  updateCampaign(input: $input) {
    campaign {
      mode
      body
      document
    }
  }
}
    `) as unknown as TypedDocumentString<UpdateVisualCampaignMutation, UpdateVisualCampaignMutationVariables>;
export const PreviewOfCampaignDocument = new TypedDocumentString(`
    query PreviewOfCampaign($input: PreviewEmailInput!) {
  previewEmail(input: $input) {
    subject
    text
  }
}
    `) as unknown as TypedDocumentString<PreviewOfCampaignQuery, PreviewOfCampaignQueryVariables>;
export const WhatBecameDocument = new TypedDocumentString(`
    query WhatBecame($id: ID!) {
  campaign(id: $id) {
    stats {
      totalRecipients
      sentCount
      failedCount
      suppressedCount
      waitingCount
      cancelledCount
    }
  }
}
    `) as unknown as TypedDocumentString<WhatBecameQuery, WhatBecameQueryVariables>;
export const PeopleOfFilterDocument = new TypedDocumentString(`
    query PeopleOfFilter($filter: ContactFilter, $orderBy: ContactOrder, $first: Int, $after: String, $last: Int) {
  contacts(
    filter: $filter
    orderBy: $orderBy
    first: $first
    after: $after
    last: $last
  ) {
    totalCount
    pageInfo {
      hasNextPage
      endCursor
    }
    nodes {
      email
    }
  }
}
    `) as unknown as TypedDocumentString<PeopleOfFilterQuery, PeopleOfFilterQueryVariables>;
export const PeopleOfSegmentDocument = new TypedDocumentString(`
    query PeopleOfSegment($id: ID!, $filter: ContactFilter) {
  segment(id: $id) {
    contacts(filter: $filter) {
      totalCount
      nodes {
        email
      }
    }
  }
}
    `) as unknown as TypedDocumentString<PeopleOfSegmentQuery, PeopleOfSegmentQueryVariables>;
export const UnsubscribeManyDocument = new TypedDocumentString(`
    mutation UnsubscribeMany($filter: ContactFilter) {
  bulkUnsubscribeContacts(input: { filter: $filter }) {
    jobId
  }
}
    `) as unknown as TypedDocumentString<UnsubscribeManyMutation, UnsubscribeManyMutationVariables>;
export const DeleteManyDocument = new TypedDocumentString(`
    mutation DeleteMany($filter: ContactFilter) {
  bulkDeleteContacts(input: { filter: $filter }) {
    jobId
  }
}
    `) as unknown as TypedDocumentString<DeleteManyMutation, DeleteManyMutationVariables>;
export const BulkDeleteDocument = new TypedDocumentString(`
    mutation BulkDelete($input: BulkDeleteContactsInput!) {
  bulkDeleteContacts(input: $input) {
    jobId
  }
}
    `) as unknown as TypedDocumentString<BulkDeleteMutation, BulkDeleteMutationVariables>;
export const BulkJobDocument = new TypedDocumentString(`
    query BulkJob($id: ID!) {
  job(id: $id) {
    bulkResult {
      totalRequested
      successCount
      failureCount
      errors {
        contactId
      }
      errorsOmitted
    }
  }
}
    `) as unknown as TypedDocumentString<BulkJobQuery, BulkJobQueryVariables>;
export const DeleteFieldDocument = new TypedDocumentString(`
    mutation DeleteField($input: DeleteContactFieldInput!) {
  deleteContactField(input: $input) {
    deletedField
    contactCount
  }
}
    `) as unknown as TypedDocumentString<DeleteFieldMutation, DeleteFieldMutationVariables>;
export const FieldsDocument = new TypedDocumentString(`
    query Fields {
  contactFields {
    totalCount
    nodes {
      field
      type
      isCustom
      coverage
      contactCount
    }
  }
}
    `) as unknown as TypedDocumentString<FieldsQuery, FieldsQueryVariables>;
export const OperatorsDocument = new TypedDocumentString(`
    query Operators {
  contactFields {
    nodes {
      field
      operators
    }
  }
  workflowFields {
    nodes {
      field
      operators
    }
  }
}
    `) as unknown as TypedDocumentString<OperatorsQuery, OperatorsQueryVariables>;
export const FieldPageDocument = new TypedDocumentString(`
    query FieldPage($first: Int, $after: String, $last: Int, $before: String) {
  contactFields(first: $first, after: $after, last: $last, before: $before) {
    nodes {
      field
      usage {
        isUsed
      }
    }
    pageInfo {
      hasNextPage
      endCursor
      startCursor
    }
  }
}
    `) as unknown as TypedDocumentString<FieldPageQuery, FieldPageQueryVariables>;
export const FieldUsesDocument = new TypedDocumentString(`
    query FieldUses {
  contactFields(first: 50) {
    nodes {
      field
      usage {
        isUsed
        segments(first: 5) {
          totalCount
          nodes {
            name
          }
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<FieldUsesQuery, FieldUsesQueryVariables>;
export const FieldUseCountsDocument = new TypedDocumentString(`
    query FieldUseCounts {
  contactFields {
    nodes {
      field
      usage {
        segments {
          totalCount
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<FieldUseCountsQuery, FieldUseCountsQueryVariables>;
export const ValuesDocument = new TypedDocumentString(`
    query Values($field: String!, $limit: Int) {
  contactFieldValues(field: $field, limit: $limit)
}
    `) as unknown as TypedDocumentString<ValuesQuery, ValuesQueryVariables>;
export const CheckImportDocument = new TypedDocumentString(`
    query CheckImport($content: String!) {
  checkImport(content: $content) {
    rows
    new
    existing
    fields {
      name
      type
      isNew
    }
    errors {
      row
      email
      error
    }
    errorsOmitted
  }
}
    `) as unknown as TypedDocumentString<CheckImportQuery, CheckImportQueryVariables>;
export const ImportContactsDocument = new TypedDocumentString(`
    mutation ImportContacts($content: String!) {
  importContacts(input: { content: $content }) {
    jobId
    job {
      id
      kind
      state
    }
  }
}
    `) as unknown as TypedDocumentString<ImportContactsMutation, ImportContactsMutationVariables>;
export const ImportResultDocument = new TypedDocumentString(`
    query ImportResult($id: ID!) {
  job(id: $id) {
    state
    importResult {
      totalRows
      createdCount
      updatedCount
      failureCount
    }
  }
}
    `) as unknown as TypedDocumentString<ImportResultQuery, ImportResultQueryVariables>;
export const ImportSuppressionsDocument = new TypedDocumentString(`
    mutation ImportSuppressions($input: ImportSuppressionsInput!) {
  importSuppressions(input: $input) {
    added
    alreadyThere
    errors {
      row
      email
      error
    }
    errorsOmitted
  }
}
    `) as unknown as TypedDocumentString<ImportSuppressionsMutation, ImportSuppressionsMutationVariables>;
export const LookupDocument = new TypedDocumentString(`
    query Lookup($emails: [String!]!) {
  contactLookup(emails: $emails) {
    found {
      email
      contact {
        id
      }
    }
    notFound
  }
}
    `) as unknown as TypedDocumentString<LookupQuery, LookupQueryVariables>;
export const OrderedDocument = new TypedDocumentString(`
    query Ordered($orderBy: ContactOrder, $first: Int, $after: String, $last: Int, $before: String) {
  contacts(
    orderBy: $orderBy
    first: $first
    after: $after
    last: $last
    before: $before
  ) {
    nodes {
      email
    }
    pageInfo {
      hasNextPage
      hasPreviousPage
      startCursor
      endCursor
    }
  }
}
    `) as unknown as TypedDocumentString<OrderedQuery, OrderedQueryVariables>;
export const ChangeContactDocument = new TypedDocumentString(`
    mutation ChangeContact($input: UpdateContactInput!) {
  updateContact(input: $input) {
    contact {
      id
      email
      subscribed
      data
    }
  }
}
    `) as unknown as TypedDocumentString<ChangeContactMutation, ChangeContactMutationVariables>;
export const FilteredEmailsDocument = new TypedDocumentString(`
    query FilteredEmails($filter: EmailFilter) {
  emails(filter: $filter) {
    totalCount
    nodes {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<FilteredEmailsQuery, FilteredEmailsQueryVariables>;
export const RareEmailsDocument = new TypedDocumentString(`
    query RareEmails($after: String) {
  emails(filter: { sources: [TRANSACTIONAL] }, first: 5, after: $after) {
    nodes {
      id
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    `) as unknown as TypedDocumentString<RareEmailsQuery, RareEmailsQueryVariables>;
export const EmailPartsDocument = new TypedDocumentString(`
    query EmailParts($first: Int) {
  emails(first: $first) {
    nodes {
      from
      fromName
      replyTo
      type
      tags
      cc {
        email
        name
      }
      bcc {
        email
        name
      }
      message {
        html
        text
        headers {
          name
          value
        }
        attachments {
          filename
          contentType
          size
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<EmailPartsQuery, EmailPartsQueryVariables>;
export const UsageOfEventDocument = new TypedDocumentString(`
    query UsageOfEvent($name: String!) {
  eventUsage(name: $name) {
    name
    totalCount
    uniqueContacts
    isUsed
    segments(first: 5) {
      totalCount
      nodes {
        name
      }
    }
    campaigns(first: 5) {
      totalCount
      nodes {
        name
      }
    }
  }
}
    `) as unknown as TypedDocumentString<UsageOfEventQuery, UsageOfEventQueryVariables>;
export const JobsDocument = new TypedDocumentString(`
    query Jobs($first: Int, $after: String, $last: Int, $before: String, $filter: JobFilter) {
  jobs(
    first: $first
    after: $after
    last: $last
    before: $before
    filter: $filter
  ) {
    totalCount
    pageInfo {
      hasNextPage
      hasPreviousPage
      endCursor
      startCursor
    }
    nodes {
      id
      kind
      state
      progress
      importResult {
        totalRows
      }
      bulkResult {
        totalRequested
      }
    }
  }
}
    `) as unknown as TypedDocumentString<JobsQuery, JobsQueryVariables>;
export const WorkOfJobsDocument = new TypedDocumentString(`
    query WorkOfJobs {
  jobs {
    nodes {
      operation
      done
      total
    }
  }
}
    `) as unknown as TypedDocumentString<WorkOfJobsQuery, WorkOfJobsQueryVariables>;
export const CreateCountedDocument = new TypedDocumentString(`
    mutation CreateCounted($input: CreateSegmentInput!) {
  createSegment(input: $input) {
    segment {
      id
      memberCount
      countedAt
    }
  }
}
    `) as unknown as TypedDocumentString<CreateCountedMutation, CreateCountedMutationVariables>;
export const ChangeCountedDocument = new TypedDocumentString(`
    mutation ChangeCounted($input: UpdateSegmentInput!) {
  updateSegment(input: $input) {
    segment {
      memberCount
      countedAt
    }
  }
}
    `) as unknown as TypedDocumentString<ChangeCountedMutation, ChangeCountedMutationVariables>;
export const CountAgainDocument = new TypedDocumentString(`
    mutation CountAgain($id: ID!) {
  refreshSegment(input: { id: $id }) {
    segment {
      memberCount
      countedAt
      updatedAt
    }
  }
}
    `) as unknown as TypedDocumentString<CountAgainMutation, CountAgainMutationVariables>;
export const ComputeCountedDocument = new TypedDocumentString(`
    mutation ComputeCounted($id: ID!) {
  computeSegment(input: { id: $id }) {
    segment {
      memberCount
      countedAt
    }
  }
}
    `) as unknown as TypedDocumentString<ComputeCountedMutation, ComputeCountedMutationVariables>;
export const EventsOfSegmentDocument = new TypedDocumentString(`
    query EventsOfSegment($id: ID!) {
  segment(id: $id) {
    entryEvent
    exitEvent
  }
}
    `) as unknown as TypedDocumentString<EventsOfSegmentQuery, EventsOfSegmentQueryVariables>;
export const CreateSegmentDocument = new TypedDocumentString(`
    mutation CreateSegment($input: CreateSegmentInput!) {
  createSegment(input: $input) {
    segment {
      id
      name
      type
      condition
      trackMembership
      memberCount
      description
    }
  }
}
    `) as unknown as TypedDocumentString<CreateSegmentMutation, CreateSegmentMutationVariables>;
export const UpdateSegmentDocument = new TypedDocumentString(`
    mutation UpdateSegment($input: UpdateSegmentInput!) {
  updateSegment(input: $input) {
    segment {
      id
      name
      condition
      memberCount
      updatedAt
    }
  }
}
    `) as unknown as TypedDocumentString<UpdateSegmentMutation, UpdateSegmentMutationVariables>;
export const DeleteSegmentDocument = new TypedDocumentString(`
    mutation DeleteSegment($id: ID!) {
  deleteSegment(input: { id: $id }) {
    deletedSegmentId
  }
}
    `) as unknown as TypedDocumentString<DeleteSegmentMutation, DeleteSegmentMutationVariables>;
export const AddMembersDocument = new TypedDocumentString(`
    mutation AddMembers($input: AddSegmentMembersInput!) {
  addSegmentMembers(input: $input) {
    added
    created
    alreadyMembers
    notFound
    segment {
      memberCount
    }
  }
}
    `) as unknown as TypedDocumentString<AddMembersMutation, AddMembersMutationVariables>;
export const RemoveMembersDocument = new TypedDocumentString(`
    mutation RemoveMembers($input: RemoveSegmentMembersInput!) {
  removeSegmentMembers(input: $input) {
    removed
    segment {
      memberCount
    }
  }
}
    `) as unknown as TypedDocumentString<RemoveMembersMutation, RemoveMembersMutationVariables>;
export const ComputeSegmentDocument = new TypedDocumentString(`
    mutation ComputeSegment($id: ID!) {
  computeSegment(input: { id: $id }) {
    added
    removed
    total
    segment {
      memberCount
    }
  }
  refreshSegment(input: { id: $id }) {
    segment {
      memberCount
    }
  }
}
    `) as unknown as TypedDocumentString<ComputeSegmentMutation, ComputeSegmentMutationVariables>;
export const ReadConditionDocument = new TypedDocumentString(`
    query ReadCondition($id: ID!) {
  segment(id: $id) {
    condition
  }
}
    `) as unknown as TypedDocumentString<ReadConditionQuery, ReadConditionQueryVariables>;
export const GetSegmentDocument = new TypedDocumentString(`
    query GetSegment($id: ID!, $contactId: ID!) {
  segment(id: $id) {
    name
    issues {
      path
      message
    }
    explanation(contactId: $contactId) {
      matches
      leaves {
        path
        field
        operator
        value
        unit
        actual
        matches
      }
    }
  }
  node(id: $id) {
    __typename
    id
  }
}
    `) as unknown as TypedDocumentString<GetSegmentQuery, GetSegmentQueryVariables>;
export const ContactsOfSegmentDocument = new TypedDocumentString(`
    query ContactsOfSegment($id: ID!, $first: Int, $after: String, $last: Int, $before: String) {
  segment(id: $id) {
    contacts(first: $first, after: $after, last: $last, before: $before) {
      totalCount
      pageInfo {
        hasNextPage
        hasPreviousPage
        startCursor
        endCursor
      }
      nodes {
        email
        events(first: 1) {
          nodes {
            name
          }
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<ContactsOfSegmentQuery, ContactsOfSegmentQueryVariables>;
export const SegmentsOfDocument = new TypedDocumentString(`
    query SegmentsOf {
  contacts {
    nodes {
      email
      segments(first: 5) {
        totalCount
        nodes {
          name
          memberCount
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<SegmentsOfQuery, SegmentsOfQueryVariables>;
export const ListSegmentsDocument = new TypedDocumentString(`
    query ListSegments {
  segments(first: 2) {
    totalCount
    nodes {
      name
      contacts(first: 1) {
        nodes {
          email
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<ListSegmentsQuery, ListSegmentsQueryVariables>;
export const ExplainConditionDocument = new TypedDocumentString(`
    query ExplainCondition($condition: ConditionInput!, $contactId: ID!) {
  conditionExplanation(condition: $condition, contactId: $contactId) {
    matches
    leaves {
      path
      field
      operator
      actual
      matches
    }
  }
}
    `) as unknown as TypedDocumentString<ExplainConditionQuery, ExplainConditionQueryVariables>;
export const SegmentsOfEachDocument = new TypedDocumentString(`
    query SegmentsOfEach {
  contacts {
    nodes {
      email
      segments(first: 5) {
        totalCount
        nodes {
          name
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<SegmentsOfEachQuery, SegmentsOfEachQueryVariables>;
export const SegmentUsesDocument = new TypedDocumentString(`
    query SegmentUses($id: ID!) {
  segment(id: $id) {
    usage {
      canDelete
      campaigns {
        totalCount
        nodes {
          id
          status
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<SegmentUsesQuery, SegmentUsesQueryVariables>;
export const SuppressDocument = new TypedDocumentString(`
    mutation Suppress($input: SuppressAddressesInput!) {
  suppressAddresses(input: $input) {
    added
    alreadyThere
    suppressions {
      email
      reason
    }
  }
}
    `) as unknown as TypedDocumentString<SuppressMutation, SuppressMutationVariables>;
export const SuppressedDocument = new TypedDocumentString(`
    query Suppressed($id: ID!, $filter: SuppressionFilter, $after: String) {
  contact(id: $id) {
    suppression {
      reason
    }
  }
  contacts(orderBy: { by: EMAIL }) {
    nodes {
      suppression {
        email
      }
    }
  }
  suppressions(filter: $filter, first: 1, after: $after) {
    totalCount
    nodes {
      email
      reason
      source
      emailId
      since
      contact {
        id
      }
      causedBy {
        id
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    `) as unknown as TypedDocumentString<SuppressedQuery, SuppressedQueryVariables>;
export const UnsuppressDocument = new TypedDocumentString(`
    mutation Unsuppress($input: DeleteSuppressionInput!) {
  deleteSuppression(input: $input) {
    deletedEmail
  }
}
    `) as unknown as TypedDocumentString<UnsuppressMutation, UnsuppressMutationVariables>;
export const ExecutionCountsDocument = new TypedDocumentString(`
    query ExecutionCounts($id: ID!) {
  workflow(id: $id) {
    executionCounts {
      running
      waiting
      completed
      exited
      failed
      cancelled
    }
    steps {
      name
      active
      entered
    }
  }
}
    `) as unknown as TypedDocumentString<ExecutionCountsQuery, ExecutionCountsQueryVariables>;
export const CountsOfWorkflowsDocument = new TypedDocumentString(`
    query CountsOfWorkflows {
  workflows(first: 5) {
    nodes {
      executionCounts {
        running
      }
      steps {
        active
      }
    }
  }
}
    `) as unknown as TypedDocumentString<CountsOfWorkflowsQuery, CountsOfWorkflowsQueryVariables>;
export const GraphsOfExecutionsDocument = new TypedDocumentString(`
    query GraphsOfExecutions($id: ID!) {
  workflow(id: $id) {
    executions {
      nodes {
        version
        graph {
          steps {
            id
            name
            type
          }
          transitions {
            fromStepId
            toStepId
            branch
            name
          }
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<GraphsOfExecutionsQuery, GraphsOfExecutionsQueryVariables>;
export const StartExecutionDocument = new TypedDocumentString(`
    mutation StartExecution($input: StartWorkflowExecutionInput!) {
  startWorkflowExecution(input: $input) {
    execution {
      id
      status
      context
      version
      currentStep {
        name
        type
      }
      contact {
        email
      }
      workflow {
        name
      }
    }
  }
}
    `) as unknown as TypedDocumentString<StartExecutionMutation, StartExecutionMutationVariables>;
export const CancelExecutionDocument = new TypedDocumentString(`
    mutation CancelExecution($input: CancelWorkflowExecutionInput!) {
  cancelWorkflowExecution(input: $input) {
    execution {
      status
      exitReason
    }
  }
}
    `) as unknown as TypedDocumentString<CancelExecutionMutation, CancelExecutionMutationVariables>;
export const CancelExecutionsDocument = new TypedDocumentString(`
    mutation CancelExecutions($id: ID!) {
  cancelWorkflowExecutions(input: { workflowId: $id }) {
    cancelled
    workflow {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<CancelExecutionsMutation, CancelExecutionsMutationVariables>;
export const ReadExecutionDocument = new TypedDocumentString(`
    query ReadExecution($id: ID!, $workflow: ID!, $contact: ID!) {
  workflowExecution(id: $id) {
    status
    exitReason
    completedAt
    stepExecutions {
      status
      input
      output
      branch
      attempts
      step {
        name
        type
      }
    }
  }
  node(id: $id) {
    __typename
    id
  }
  workflow(id: $workflow) {
    steps {
      name
      entered
      completed
      failed
    }
    executions(filter: { statuses: [EXITED, FAILED] }) {
      totalCount
      edges {
        node {
          id
        }
      }
    }
  }
  contact(id: $contact) {
    executions {
      totalCount
      edges {
        node {
          id
          status
          workflow {
            name
          }
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<ReadExecutionQuery, ReadExecutionQueryVariables>;
export const EmailsOfStepsDocument = new TypedDocumentString(`
    query EmailsOfSteps($id: ID!) {
  workflowExecution(id: $id) {
    stepExecutions {
      email {
        to
        subject
        execution {
          id
        }
      }
    }
  }
  emails(filter: { executionId: $id }) {
    totalCount
    nodes {
      subject
    }
  }
}
    `) as unknown as TypedDocumentString<EmailsOfStepsQuery, EmailsOfStepsQueryVariables>;
export const NestedExecutionsDocument = new TypedDocumentString(`
    query NestedExecutions($workflows: Int!, $first: Int, $last: Int, $after: String, $before: String, $filter: WorkflowExecutionFilter) {
  workflows(first: $workflows) {
    nodes {
      name
      executions(
        first: $first
        last: $last
        after: $after
        before: $before
        filter: $filter
      ) {
        totalCount
        pageInfo {
          hasNextPage
          hasPreviousPage
          endCursor
          startCursor
        }
        nodes {
          id
          status
          contact {
            id
            email
          }
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<NestedExecutionsQuery, NestedExecutionsQueryVariables>;
export const ExecutionRelationsDocument = new TypedDocumentString(`
    query ExecutionRelations {
  activity(first: 10) {
    nodes {
      type
      execution {
        id
        workflow {
          name
        }
      }
    }
  }
  emails(first: 2) {
    nodes {
      subject
      execution {
        id
        status
        workflow {
          name
        }
        contact {
          email
        }
      }
    }
  }
  events(first: 10) {
    nodes {
      name
      execution {
        id
      }
    }
  }
}
    `) as unknown as TypedDocumentString<ExecutionRelationsQuery, ExecutionRelationsQueryVariables>;
export const WorkflowFieldsDocument = new TypedDocumentString(`
    query WorkflowFields($eventName: String) {
  workflowFields(eventName: $eventName, first: 100) {
    totalCount
    nodes {
      field
      type
      category
    }
  }
}
    `) as unknown as TypedDocumentString<WorkflowFieldsQuery, WorkflowFieldsQueryVariables>;
export const MoveWorkflowStepsDocument = new TypedDocumentString(`
    mutation MoveWorkflowSteps($input: MoveWorkflowStepsInput!) {
  moveWorkflowSteps(input: $input) {
    workflow {
      id
      version
      steps {
        id
        position {
          x
          y
        }
        updatedAt
      }
    }
  }
}
    `) as unknown as TypedDocumentString<MoveWorkflowStepsMutation, MoveWorkflowStepsMutationVariables>;
export const SpellStepDocument = new TypedDocumentString(`
    mutation SpellStep($input: CreateWorkflowStepInput!) {
  createWorkflowStep(input: $input) {
    step {
      id
      config
    }
  }
}
    `) as unknown as TypedDocumentString<SpellStepMutation, SpellStepMutationVariables>;
export const RespellStepDocument = new TypedDocumentString(`
    mutation RespellStep($input: UpdateWorkflowStepInput!) {
  updateWorkflowStep(input: $input) {
    step {
      config
    }
  }
}
    `) as unknown as TypedDocumentString<RespellStepMutation, RespellStepMutationVariables>;
export const CreateWorkflowDocument = new TypedDocumentString(`
    mutation CreateWorkflow($input: CreateWorkflowInput!) {
  createWorkflow(input: $input) {
    workflow {
      id
      name
      enabled
      triggerType
      triggerConfig {
        eventName
      }
      exitEvents
      version
      issues {
        code
      }
    }
  }
}
    `) as unknown as TypedDocumentString<CreateWorkflowMutation, CreateWorkflowMutationVariables>;
export const UpdateWorkflowDocument = new TypedDocumentString(`
    mutation UpdateWorkflow($input: UpdateWorkflowInput!) {
  updateWorkflow(input: $input) {
    workflow {
      id
      name
      enabled
      triggerType
      version
    }
  }
}
    `) as unknown as TypedDocumentString<UpdateWorkflowMutation, UpdateWorkflowMutationVariables>;
export const DuplicateWorkflowDocument = new TypedDocumentString(`
    mutation DuplicateWorkflow($id: ID!) {
  duplicateWorkflow(input: { id: $id }) {
    workflow {
      name
      enabled
      steps {
        type
      }
    }
  }
}
    `) as unknown as TypedDocumentString<DuplicateWorkflowMutation, DuplicateWorkflowMutationVariables>;
export const DeleteWorkflowDocument = new TypedDocumentString(`
    mutation DeleteWorkflow($id: ID!) {
  deleteWorkflow(input: { id: $id }) {
    deletedWorkflowId
  }
}
    `) as unknown as TypedDocumentString<DeleteWorkflowMutation, DeleteWorkflowMutationVariables>;
export const AddStepDocument = new TypedDocumentString(`
    mutation AddStep($input: CreateWorkflowStepInput!) {
  createWorkflowStep(input: $input) {
    step {
      id
      type
      name
      position {
        x
        y
      }
      config
      template {
        name
      }
    }
    workflow {
      issues {
        code
        stepId
      }
      steps {
        id
      }
      transitions {
        branch
        fromStepId
        toStepId
        from {
          id
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<AddStepMutation, AddStepMutationVariables>;
export const ChangeStepDocument = new TypedDocumentString(`
    mutation ChangeStep($input: UpdateWorkflowStepInput!) {
  updateWorkflowStep(input: $input) {
    step {
      id
      name
      config
      template {
        id
      }
    }
    workflow {
      version
      issues {
        code
        severity
      }
    }
  }
}
    `) as unknown as TypedDocumentString<ChangeStepMutation, ChangeStepMutationVariables>;
export const RemoveStepDocument = new TypedDocumentString(`
    mutation RemoveStep($input: DeleteWorkflowStepInput!) {
  deleteWorkflowStep(input: $input) {
    deletedStepId
    workflow {
      steps {
        id
      }
    }
  }
}
    `) as unknown as TypedDocumentString<RemoveStepMutation, RemoveStepMutationVariables>;
export const LeadDocument = new TypedDocumentString(`
    mutation Lead($input: CreateWorkflowTransitionInput!) {
  createWorkflowTransition(input: $input) {
    created
    transition {
      id
      branch
      priority
      from {
        id
      }
      to {
        id
        workflow {
          name
        }
      }
    }
    workflow {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<LeadMutation, LeadMutationVariables>;
export const UnleadDocument = new TypedDocumentString(`
    mutation Unlead($input: DeleteWorkflowTransitionInput!) {
  deleteWorkflowTransition(input: $input) {
    deletedTransitionId
    workflow {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<UnleadMutation, UnleadMutationVariables>;
export const ReadWorkflowDocument = new TypedDocumentString(`
    query ReadWorkflow($id: ID!) {
  workflow(id: $id) {
    name
    description
    allowReentry
    issues {
      code
      severity
      message
      stepId
    }
    steps {
      id
      type
      name
      config
      template {
        name
      }
    }
    transitions {
      branch
      fromStepId
      to {
        id
      }
    }
  }
  node(id: $id) {
    __typename
    id
  }
}
    `) as unknown as TypedDocumentString<ReadWorkflowQuery, ReadWorkflowQueryVariables>;
export const ListWorkflowsDocument = new TypedDocumentString(`
    query ListWorkflows($filter: WorkflowFilter, $first: Int) {
  workflows(filter: $filter, first: $first) {
    totalCount
    nodes {
      id
      name
      issues {
        code
      }
      steps {
        name
      }
      transitions {
        priority
      }
    }
  }
}
    `) as unknown as TypedDocumentString<ListWorkflowsQuery, ListWorkflowsQueryVariables>;
export const EnableBeyondTheLimitDocument = new TypedDocumentString(`
    mutation EnableBeyondTheLimit($id: ID!) {
  updateWorkflow(input: { id: $id, enabled: true }) {
    workflow {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<EnableBeyondTheLimitMutation, EnableBeyondTheLimitMutationVariables>;
export const UsesInWorkflowsDocument = new TypedDocumentString(`
    query UsesInWorkflows($event: String!) {
  contactFields(first: 50) {
    nodes {
      field
      usage {
        isUsed
        workflows(first: 5) {
          totalCount
          nodes {
            name
          }
        }
      }
    }
  }
  eventUsage(name: $event) {
    isUsed
    workflows(first: 5) {
      nodes {
        id
        name
      }
    }
  }
}
    `) as unknown as TypedDocumentString<UsesInWorkflowsQuery, UsesInWorkflowsQueryVariables>;
export const StepsOfTemplateDocument = new TypedDocumentString(`
    query StepsOfTemplate($id: ID!) {
  template(id: $id) {
    workflowSteps(first: 5) {
      totalCount
      nodes {
        id
        name
        workflow {
          name
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<StepsOfTemplateQuery, StepsOfTemplateQueryVariables>;
export const UpsertDocument = new TypedDocumentString(`
    mutation Upsert($input: UpsertContactInput!) {
  upsertContact(input: $input) {
    created
    contact {
      id
      email
      subscribed
      data
      createdAt
    }
  }
}
    `) as unknown as TypedDocumentString<UpsertMutation, UpsertMutationVariables>;
export const GetContactDocument = new TypedDocumentString(`
    query GetContact($id: ID!) {
  contact(id: $id) {
    id
    email
  }
}
    `) as unknown as TypedDocumentString<GetContactQuery, GetContactQueryVariables>;
export const GetNodeDocument = new TypedDocumentString(`
    query GetNode($id: ID!) {
  node(id: $id) {
    __typename
    id
  }
}
    `) as unknown as TypedDocumentString<GetNodeQuery, GetNodeQueryVariables>;
export const ListContactsDocument = new TypedDocumentString(`
    query ListContacts($first: Int, $after: String, $last: Int, $before: String, $filter: ContactFilter) {
  contacts(
    first: $first
    after: $after
    last: $last
    before: $before
    filter: $filter
  ) {
    totalCount
    pageInfo {
      hasNextPage
      hasPreviousPage
      startCursor
      endCursor
    }
    nodes {
      email
    }
  }
}
    `) as unknown as TypedDocumentString<ListContactsQuery, ListContactsQueryVariables>;
export const SendDocument = new TypedDocumentString(`
    mutation Send($input: SendEmailInput!) {
  sendEmail(input: $input) {
    replayed
    emails {
      contact {
        email
        subscribed
      }
      email {
        id
        status
        subject
        source
        contact {
          id
        }
        events {
          name
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<SendMutation, SendMutationVariables>;
export const TrackDocument = new TypedDocumentString(`
    mutation Track($input: TrackEventInput!) {
  trackEvent(input: $input) {
    contact {
      email
    }
    event {
      id
      name
      data
    }
  }
}
    `) as unknown as TypedDocumentString<TrackMutation, TrackMutationVariables>;
export const EverythingDocument = new TypedDocumentString(`
    query Everything {
  contacts {
    nodes {
      email
      emails(first: 2) {
        totalCount
        nodes {
          subject
          contact {
            email
          }
        }
      }
      events(first: 2) {
        totalCount
        edges {
          cursor
          node {
            name
            email {
              id
            }
            contact {
              email
            }
          }
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<EverythingQuery, EverythingQueryVariables>;
export const CreateTemplateDocument = new TypedDocumentString(`
    mutation CreateTemplate($input: CreateTemplateInput!) {
  createTemplate(input: $input) {
    template {
      id
      name
      type
      usage {
        emailsSent
      }
    }
  }
}
    `) as unknown as TypedDocumentString<CreateTemplateMutation, CreateTemplateMutationVariables>;
export const UpdateTemplateDocument = new TypedDocumentString(`
    mutation UpdateTemplate($input: UpdateTemplateInput!) {
  updateTemplate(input: $input) {
    template {
      description
      subject
    }
  }
}
    `) as unknown as TypedDocumentString<UpdateTemplateMutation, UpdateTemplateMutationVariables>;
export const DeleteContactDocument = new TypedDocumentString(`
    mutation DeleteContact($id: ID!) {
  deleteContact(input: { id: $id }) {
    deletedContactId
  }
}
    `) as unknown as TypedDocumentString<DeleteContactMutation, DeleteContactMutationVariables>;
export const RegenerateKeysDocument = new TypedDocumentString(`
    mutation RegenerateKeys {
  regenerateKeys {
    keys {
      publicKey
      secretKey
    }
  }
}
    `) as unknown as TypedDocumentString<RegenerateKeysMutation, RegenerateKeysMutationVariables>;
export const ListsDocument = new TypedDocumentString(`
    query Lists($contacts: ContactFilter, $events: EventFilter, $activity: ActivityFilter, $templates: TemplateFilter) {
  contacts(filter: $contacts) {
    totalCount
    nodes {
      id
    }
  }
  events(filter: $events) {
    totalCount
    nodes {
      id
    }
  }
  activity(filter: $activity) {
    totalCount
    nodes {
      id
    }
  }
  templates(filter: $templates) {
    totalCount
    nodes {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<ListsQuery, ListsQueryVariables>;
export const EmailsDocument = new TypedDocumentString(`
    query Emails($filter: EmailFilter) {
  emails(filter: $filter) {
    totalCount
    nodes {
      id
      subject
    }
  }
}
    `) as unknown as TypedDocumentString<EmailsQuery, EmailsQueryVariables>;
export const EventsOfDocument = new TypedDocumentString(`
    query EventsOf($first: Int, $after: String) {
  contacts {
    nodes {
      events(first: $first, after: $after) {
        totalCount
        pageInfo {
          hasNextPage
          endCursor
        }
        nodes {
          name
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<EventsOfQuery, EventsOfQueryVariables>;
export const InviteMemberDocument = new TypedDocumentString(`
    mutation InviteMember($input: InviteMemberInput!) {
  inviteMember(input: $input) {
    invitation {
      id
      email
      role
    }
    invitationUrl
  }
}
    `) as unknown as TypedDocumentString<InviteMemberMutation, InviteMemberMutationVariables>;
export const UpdateMemberDocument = new TypedDocumentString(`
    mutation UpdateMember($input: UpdateMemberInput!) {
  updateMember(input: $input) {
    member {
      userId
      role
    }
  }
}
    `) as unknown as TypedDocumentString<UpdateMemberMutation, UpdateMemberMutationVariables>;
export const RemoveMemberDocument = new TypedDocumentString(`
    mutation RemoveMember($input: RemoveMemberInput!) {
  removeMember(input: $input) {
    removedUserId
  }
}
    `) as unknown as TypedDocumentString<RemoveMemberMutation, RemoveMemberMutationVariables>;
export const RevokeInvitationDocument = new TypedDocumentString(`
    mutation RevokeInvitation($input: RevokeInvitationInput!) {
  revokeInvitation(input: $input) {
    revokedInvitationId
  }
}
    `) as unknown as TypedDocumentString<RevokeInvitationMutation, RevokeInvitationMutationVariables>;
export const MembersDocument = new TypedDocumentString(`
    query Members($first: Int, $after: String) {
  project {
    members(first: $first, after: $after) {
      totalCount
      nodes {
        email
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
    invitations {
      email
    }
  }
}
    `) as unknown as TypedDocumentString<MembersQuery, MembersQueryVariables>;
export const DomainsDocument = new TypedDocumentString(`
    query Domains($first: Int, $after: String) {
  domains(first: $first, after: $after) {
    totalCount
    nodes {
      domain
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    `) as unknown as TypedDocumentString<DomainsQuery, DomainsQueryVariables>;
export const MyProjectsDocument = new TypedDocumentString(`
    query MyProjects($last: Int) {
  viewer {
    projects(last: $last) {
      totalCount
      nodes {
        name
      }
      pageInfo {
        hasPreviousPage
      }
    }
  }
}
    `) as unknown as TypedDocumentString<MyProjectsQuery, MyProjectsQueryVariables>;
export const SendOneDocument = new TypedDocumentString(`
    mutation SendOne($input: SendEmailInput!) {
  sendEmail(input: $input) {
    emails {
      email {
        subject
      }
    }
  }
}
    `) as unknown as TypedDocumentString<SendOneMutation, SendOneMutationVariables>;
export const FeedDocument = new TypedDocumentString(`
    query Feed($first: Int) {
  activity(first: $first) {
    nodes {
      type
      contactId
      contact {
        email
        subscribed
      }
      email {
        subject
        template {
          name
        }
        contact {
          email
        }
      }
      event {
        name
        contact {
          email
        }
        email {
          status
          template {
            name
          }
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<FeedQuery, FeedQueryVariables>;
export const EmailsWithRelationsDocument = new TypedDocumentString(`
    query EmailsWithRelations($first: Int) {
  emails(first: $first) {
    nodes {
      template {
        name
        usage {
          emailsSent
        }
      }
      contact {
        email
      }
      events {
        name
        contact {
          email
        }
        email {
          id
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<EmailsWithRelationsQuery, EmailsWithRelationsQueryVariables>;
export const LogDocument = new TypedDocumentString(`
    query Log($first: Int) {
  events(first: $first) {
    nodes {
      name
      contactId
      contact {
        email
      }
      emailId
      email {
        to
        template {
          name
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<LogQuery, LogQueryVariables>;
export const SendToManyDocument = new TypedDocumentString(`
    mutation SendToMany($input: SendEmailInput!) {
  sendEmail(input: $input) {
    emails {
      contactId
      contact {
        email
      }
      emailId
      email {
        status
        template {
          name
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<SendToManyMutation, SendToManyMutationVariables>;
export const ReadConfigDocument = new TypedDocumentString(`
    query ReadConfig {
  config {
    environment
    apiUrl
    dashboardUrl
    billingEnabled
    signupsEnabled
    verificationRequired
    accountEmailsEnabled
    oauthProviders
    maxAttachmentBytes
    maxImageBytes
    maxImportBytes
  }
}
    `) as unknown as TypedDocumentString<ReadConfigQuery, ReadConfigQueryVariables>;
export const ReadInvitationDocument = new TypedDocumentString(`
    query ReadInvitation($token: String!) {
  invitation(token: $token) {
    projectName
    email
    role
    hasAccount
  }
}
    `) as unknown as TypedDocumentString<ReadInvitationQuery, ReadInvitationQueryVariables>;
export const AcceptInvitationDocument = new TypedDocumentString(`
    mutation AcceptInvitation($input: AcceptInvitationInput!) {
  acceptInvitation(input: $input) {
    user {
      email
    }
    project {
      id
      name
      role
      webhookSecret
    }
  }
}
    `) as unknown as TypedDocumentString<AcceptInvitationMutation, AcceptInvitationMutationVariables>;
export const JoinProjectDocument = new TypedDocumentString(`
    mutation JoinProject($input: JoinProjectInput!) {
  joinProject(input: $input) {
    project {
      id
      role
    }
  }
}
    `) as unknown as TypedDocumentString<JoinProjectMutation, JoinProjectMutationVariables>;
export const UsesOfSegmentsDocument = new TypedDocumentString(`
    query UsesOfSegments {
  segments {
    nodes {
      name
      usage {
        canDelete
        segments {
          nodes {
            name
          }
        }
        campaigns {
          totalCount
          nodes {
            name
          }
        }
        workflows {
          nodes {
            name
          }
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<UsesOfSegmentsQuery, UsesOfSegmentsQueryVariables>;
export const UsesOfDomainsDocument = new TypedDocumentString(`
    query UsesOfDomains {
  domains {
    nodes {
      domain
      usage {
        canDelete
        templates {
          totalCount
          nodes {
            name
          }
        }
        campaigns {
          nodes {
            name
          }
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<UsesOfDomainsQuery, UsesOfDomainsQueryVariables>;