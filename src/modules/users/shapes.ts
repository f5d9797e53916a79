import { z } from 'zod'
import { EmailAddress, Text } from '../../kit/shapes.ts'

/** Length of a password in characters. */
const passwordLength = { min: 8, max: 200 } as const

/** A new password, in plain text. */
export const Password = Text.min(passwordLength.min)
  .max(passwordLength.max)
  .meta({
    description: `${passwordLength.min} to ${passwordLength.max} characters.`,
    format: 'password',
    examples: ['correct horse battery'],
  })

/** A person with an account. */
export const User = z
  .object({
    id: z.string().meta({ examples: ['usr_01m7y3mwcpfqhrhzca2e1aqg79'] }),
    email: z.string(),
    emailVerified: z
      .boolean()
      .describe(
        'Whether the address was proved, by a mailed link or by GitHub or Google. Where the installation sends no emails of its own nobody has to, and it stays false without these two.',
      ),
  })
  .meta({ id: 'User', description: 'A person with an account.' })
/** A person with an account. */
export type User = z.output<typeof User>

/** The data of a new account. */
export const UserDraft = z.object({ email: EmailAddress, password: Password })
/** The data of a new account. */
export type UserDraft = z.output<typeof UserDraft>

/** An account with the hash of its password. */
export interface Account extends User {
  passwordHash: string | null
}
