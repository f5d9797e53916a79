import { z } from 'zod'
import { EmailAddress, Text } from '../../kit/shapes.ts'

/** Fewest and most characters of a password. */
const passwordLength = { least: 8, most: 200 } as const

/** A password as its owner types it. */
export const Password = Text.min(passwordLength.least)
  .max(passwordLength.most)
  .meta({
    description: `${passwordLength.least} to ${passwordLength.most} characters.`,
    format: 'password',
    examples: ['correct horse battery'],
  })

/** A person with an account. */
export const User = z
  .object({
    id: z.string().meta({ examples: ['usr_01m7y3mwcpfqhrhzca2e1aqg79'] }),
    email: z.string(),
    emailVerified: z.boolean().describe('Whether the address was proved to be theirs.'),
  })
  .meta({ id: 'User', description: 'A person with an account.' })
/** A person with an account. */
export type User = z.output<typeof User>

/** What an account is made of. */
export const UserDraft = z.object({ email: EmailAddress, password: Password })
/** What an account is made of. */
export type UserDraft = z.output<typeof UserDraft>
