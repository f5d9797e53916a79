import { builder } from '../kit/builder.ts'
import '../modules/users/graphql.ts'
import '../modules/projects/graphql.ts'
import '../modules/projects/member-graphql.ts'
import '../modules/auth/graphql.ts'
import '../modules/billing/graphql.ts'
import '../modules/security/graphql.ts'
import '../modules/contacts/graphql.ts'
import '../modules/events/graphql.ts'
import '../modules/emails/graphql.ts'
import '../modules/templates/graphql.ts'
import '../modules/domains/graphql.ts'
import '../modules/activity/graphql.ts'
import '../modules/uploads/graphql.ts'
import '../modules/v1/graphql.ts'
import '../modules/verification/graphql.ts'

/** The GraphQL schema: what all modules have registered on the builder. */
export const schema = builder.toSchema()
