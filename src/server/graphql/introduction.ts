import { GraphQLSchema } from 'graphql'
import { builder } from '../../kit/builder.ts'
import { type ErrorCode, errorCatalogue, fieldCodes } from '../../kit/errors.ts'
import { limits } from './limits.ts'

builder.enumType('ErrorCode', {
  description: 'The values of `extensions.code` of an error, with the HTTP status of the same failure in REST.',
  values: Object.fromEntries(
    (Object.keys(errorCatalogue) as ErrorCode[])
      .toSorted()
      .map((code) => [code, { description: `${errorCatalogue[code].status}: ${errorCatalogue[code].message}` }]),
  ),
})

/** What a stranger reads first: at the top of schema.graphql and in the documentation of GraphiQL. */
const introduction = `Postwire: transactional email, contacts, segments, campaigns and workflows of product teams.

**Access.** Operations go to \`POST /graphql\` as JSON, subscriptions over a websocket to the same address, or as server-sent events with \`Accept: text/event-stream\`. Send \`Authorization: Bearer sk_…\` with the secret key of a project. People sign in with \`logIn\`, which sets a cookie; members of several projects choose one with the header \`X-Project-Id\` (without it what needs a project fails with BAD_REQUEST). Over a websocket (protocol graphql-transport-ws) the connection parameters are \`authorization\` and \`projectId\`; one with a cookie needs an Origin of this installation. A socket or an event stream stays in the project it began with, also when its person becomes a member of others. A socket is closed with 4401 when its credentials are not valid, or its key, its session or the membership ends, with 4403 when it may not be used here, with 4408 without credentials within 5 s, with 4410 after a cursor has expired, and with 1013 when it should try again later.

**Example.** \`query { contacts(first: 2) { nodes { id email } pageInfo { endCursor hasNextPage } } }\`, \`mutation { trackEvent(input: { email: "ada@example.com", event: "signed-up" }) { event { id } } }\`, \`subscription { activity { cursor type contactEmail } }\`.

**Lists** are Relay connections: \`first\` and \`after\`, or \`last\` and \`before\`, at most 100 items; \`totalCount\` is counted only when asked for. Ids are opaque and the same as in REST; \`node\` finds an object by its id.

**Null.** In an input or an argument null counts as left out, unless the description of the field says what it does.

**Errors.** \`errors[].extensions\` has \`code\` (see ErrorCode), \`statusCode\`, \`requestId\`, a \`suggestion\`, for VALIDATION_ERROR \`errors\` with \`{ field, message, code }\` each, and for STREAM_INTERRUPTED the \`cursor\` to continue from, and \`retryAfter\`, in seconds, where waiting helps. The codes in \`errors\` are those of the rules: ${fieldCodes.map((code) => `\`${code}\``).join(', ')} and others of single fields; more may come. A field that can fail by itself is nullable: it is null with its error beside it, and the rest is answered; that is every field of Query. An operation with a field that its caller may not use is refused as a whole. When a mutation fails, \`data\` is null: those before it are done, and those after it are not. A \`path\` that leads below a mutation says that it is done itself, and that only what was asked of its answer could not be read: ask for that with a query, and do not repeat it. Send one per request where you need its answer.

**Codes.** A value that is wrong, of an argument or an input, is VALIDATION_ERROR; BAD_REQUEST is for a document or variables that do not fit the schema, a cursor of another list, a link that is not valid any more, and a person with several projects who did not choose one. Whatever their descriptions name, all that needs a project may fail with MISSING_AUTH, INVALID_API_KEY, PROJECT_ACCESS_DENIED, EMAIL_VERIFICATION_REQUIRED, RATE_LIMIT_EXCEEDED and SERVICE_UNAVAILABLE, and mutations with PROJECT_DISABLED and VALIDATION_ERROR as well.

**Limits.** 1,000 operations per minute and project (RATE_LIMIT_PER_MINUTE; REST included); per operation depth ${limits.depth}, ${limits.rootFields} root fields, ${limits.aliases} aliases, ${limits.tokens.toLocaleString('en')} tokens and cost ${limits.cost.toLocaleString('en')}, of a subscription ${limits.itemCost} for what it selects of an item. An object costs 1, a connection 2 and its size times what an item costs, a mutation 10, some fields what their description says, an object of the schema itself 0.03; the answer has the cost in \`extensions.cost\`. Operations are not batched.`

/** The schema with its introduction. */
export function introduced(schema: GraphQLSchema): GraphQLSchema {
  return new GraphQLSchema({ ...schema.toConfig(), description: introduction })
}
