import type { PersonQuery } from '../../graphql/graphql.ts'

/** What is known of one contact. */
export type PersonFacts = NonNullable<PersonQuery['contact']>
