import { hash } from '@node-rs/argon2'
import type { Ctx } from '../../kit/context.ts'
import { isDuplicate } from '../../kit/db.ts'
import { Failure } from '../../kit/errors.ts'
import { newId } from '../../kit/ids.ts'
import type { User, UserDraft } from './shapes.ts'

const visible = { id: true, email: true, emailVerified: true, createdAt: true, updatedAt: true } as const

/** Makes an account; the password is kept as an argon2id hash (RFC 9106). Fails with CONFLICT when the address has one. */
export async function createUser({ db, clock }: Pick<Ctx, 'db' | 'clock'>, { email, password }: UserDraft): Promise<User> {
  // argon2id is the library's default: 19 MiB, 2 passes, 1 lane, as OWASP advises.
  const passwordHash = await hash(password)
  const now = clock.now()
  try {
    return await db.prisma.user.create({
      data: { id: newId('user', now), email, passwordHash, createdAt: now, updatedAt: now },
      select: visible,
    })
  } catch (error) {
    if (isDuplicate(error)) throw new Failure('CONFLICT', 'There is already an account with this address.')
    throw error
  }
}
