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
    "mutation Upsert($input: UpsertContactInput!) { upsertContact(input: $input) { isNew contact { id email subscribed data createdAt } } }": typeof types.UpsertDocument,
    "query GetContact($id: ID!) { contact(id: $id) { id email } node(id: $id) { __typename id } }": typeof types.GetContactDocument,
    "\n  query ListContacts($first: Int, $after: String, $last: Int, $before: String, $filter: ContactFilter) {\n    contacts(first: $first, after: $after, last: $last, before: $before, filter: $filter) {\n      totalCount\n      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n      nodes { email }\n    }\n  }\n": typeof types.ListContactsDocument,
    "\n  mutation Send($input: SendEmailInput!, $key: String) {\n    sendEmail(input: $input, idempotencyKey: $key) { replayed emails { contact { email subscribed } email { id status subject source contact { id } events { name } } } }\n  }\n": typeof types.SendDocument,
    "mutation Track($input: TrackEventInput!) { trackEvent(input: $input) { contact { email } event { id name data } } }": typeof types.TrackDocument,
    "\n  query Everything {\n    contacts { nodes { email emails(first: 2) { totalCount nodes { subject contact { email } } } events(first: 2) { totalCount edges { cursor node { name email { id } contact { email } } } } } }\n  }\n": typeof types.EverythingDocument,
    "mutation CreateTemplate($input: CreateTemplateInput!) { createTemplate(input: $input) { id name type usage { emailsSent } } }": typeof types.CreateTemplateDocument,
    "mutation UpdateTemplate($id: ID!, $input: UpdateTemplateInput!) { updateTemplate(id: $id, input: $input) { description subject } }": typeof types.UpdateTemplateDocument,
    "mutation DeleteContact($id: ID!) { deleteContact(id: $id) }": typeof types.DeleteContactDocument,
    "mutation RegenerateKeys { regenerateKeys { public secret } }": typeof types.RegenerateKeysDocument,
    "\n  query Lists($contacts: ContactFilter, $events: EventFilter, $activity: ActivityFilter, $templates: TemplateFilter) {\n    contacts(filter: $contacts) { totalCount nodes { id } }\n    events(filter: $events) { totalCount nodes { id } }\n    activity(filter: $activity) { totalCount nodes { id } }\n    templates(filter: $templates) { totalCount nodes { id } }\n  }\n": typeof types.ListsDocument,
    "query Emails($filter: EmailFilter) { emails(filter: $filter) { totalCount nodes { id subject } } }": typeof types.EmailsDocument,
    "\n  query EventsOf($first: Int, $after: String) {\n    contacts { nodes { events(first: $first, after: $after) { totalCount pageInfo { hasNextPage endCursor } nodes { name } } } }\n  }\n": typeof types.EventsOfDocument,
};
const documents: Documents = {
    "mutation Upsert($input: UpsertContactInput!) { upsertContact(input: $input) { isNew contact { id email subscribed data createdAt } } }": types.UpsertDocument,
    "query GetContact($id: ID!) { contact(id: $id) { id email } node(id: $id) { __typename id } }": types.GetContactDocument,
    "\n  query ListContacts($first: Int, $after: String, $last: Int, $before: String, $filter: ContactFilter) {\n    contacts(first: $first, after: $after, last: $last, before: $before, filter: $filter) {\n      totalCount\n      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n      nodes { email }\n    }\n  }\n": types.ListContactsDocument,
    "\n  mutation Send($input: SendEmailInput!, $key: String) {\n    sendEmail(input: $input, idempotencyKey: $key) { replayed emails { contact { email subscribed } email { id status subject source contact { id } events { name } } } }\n  }\n": types.SendDocument,
    "mutation Track($input: TrackEventInput!) { trackEvent(input: $input) { contact { email } event { id name data } } }": types.TrackDocument,
    "\n  query Everything {\n    contacts { nodes { email emails(first: 2) { totalCount nodes { subject contact { email } } } events(first: 2) { totalCount edges { cursor node { name email { id } contact { email } } } } } }\n  }\n": types.EverythingDocument,
    "mutation CreateTemplate($input: CreateTemplateInput!) { createTemplate(input: $input) { id name type usage { emailsSent } } }": types.CreateTemplateDocument,
    "mutation UpdateTemplate($id: ID!, $input: UpdateTemplateInput!) { updateTemplate(id: $id, input: $input) { description subject } }": types.UpdateTemplateDocument,
    "mutation DeleteContact($id: ID!) { deleteContact(id: $id) }": types.DeleteContactDocument,
    "mutation RegenerateKeys { regenerateKeys { public secret } }": types.RegenerateKeysDocument,
    "\n  query Lists($contacts: ContactFilter, $events: EventFilter, $activity: ActivityFilter, $templates: TemplateFilter) {\n    contacts(filter: $contacts) { totalCount nodes { id } }\n    events(filter: $events) { totalCount nodes { id } }\n    activity(filter: $activity) { totalCount nodes { id } }\n    templates(filter: $templates) { totalCount nodes { id } }\n  }\n": types.ListsDocument,
    "query Emails($filter: EmailFilter) { emails(filter: $filter) { totalCount nodes { id subject } } }": types.EmailsDocument,
    "\n  query EventsOf($first: Int, $after: String) {\n    contacts { nodes { events(first: $first, after: $after) { totalCount pageInfo { hasNextPage endCursor } nodes { name } } } }\n  }\n": types.EventsOfDocument,
};

/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "mutation Upsert($input: UpsertContactInput!) { upsertContact(input: $input) { isNew contact { id email subscribed data createdAt } } }"): typeof import('./graphql.ts').UpsertDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query GetContact($id: ID!) { contact(id: $id) { id email } node(id: $id) { __typename id } }"): typeof import('./graphql.ts').GetContactDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ListContacts($first: Int, $after: String, $last: Int, $before: String, $filter: ContactFilter) {\n    contacts(first: $first, after: $after, last: $last, before: $before, filter: $filter) {\n      totalCount\n      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n      nodes { email }\n    }\n  }\n"): typeof import('./graphql.ts').ListContactsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation Send($input: SendEmailInput!, $key: String) {\n    sendEmail(input: $input, idempotencyKey: $key) { replayed emails { contact { email subscribed } email { id status subject source contact { id } events { name } } } }\n  }\n"): typeof import('./graphql.ts').SendDocument;
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
export function graphql(source: "mutation CreateTemplate($input: CreateTemplateInput!) { createTemplate(input: $input) { id name type usage { emailsSent } } }"): typeof import('./graphql.ts').CreateTemplateDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "mutation UpdateTemplate($id: ID!, $input: UpdateTemplateInput!) { updateTemplate(id: $id, input: $input) { description subject } }"): typeof import('./graphql.ts').UpdateTemplateDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "mutation DeleteContact($id: ID!) { deleteContact(id: $id) }"): typeof import('./graphql.ts').DeleteContactDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "mutation RegenerateKeys { regenerateKeys { public secret } }"): typeof import('./graphql.ts').RegenerateKeysDocument;
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


export function graphql(source: string) {
  return (documents as any)[source] ?? {};
}
