import type { EmailQuery } from '../../graphql/graphql.ts'

/** An email that exists, as its page reads it. */
export type FoundEmail = NonNullable<EmailQuery['email']>
