import { builder } from '../kit/builder.ts'
import '../modules/contacts/graphql.ts'

/** The GraphQL schema: what all modules have registered on the builder. */
export const schema = builder.toSchema()
