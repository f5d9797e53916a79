import { randomBytes } from 'node:crypto'
import { chooseProject } from '../../src/kit/access.ts'
import { type Ctx, callIn, type Role } from '../../src/kit/context.ts'
import type { World } from '../../src/kit/world.ts'
import { authenticate } from '../../src/modules/auth/calls/authenticate.ts'
import { newSession, openSession } from '../../src/modules/auth/sessions/sessions.ts'
import { insertMember } from '../../src/modules/projects/members/sql.ts'
import { hashPassword } from '../../src/modules/users/passwords.ts'
import { addUser } from '../../src/modules/users/users.ts'

/** A person with an account, signed in. */
export interface Person {
  userId: string
  email: string
  password: string
  /** The Cookie header of their session. */
  cookie: string
  /** The context of their calls: without a project, or in the first one they were made a member of. */
  ctx: Ctx
}

const password = 'correct horse battery'
let passwordHash: Promise<string> | undefined

interface Membership {
  projectId: string
  role: Role
}

/** Creates an account with a verified address and signs in; with `member` it is a member of these projects. */
export async function freshUser(
  world: World,
  { email, member = [] }: { email?: string; member?: Membership | Membership[] } = {},
): Promise<Person> {
  const nobody = callIn(world)
  const address = email ?? `${randomBytes(6).toString('hex')}@people.test`
  passwordHash ??= hashPassword(nobody, password)
  const { id } = await addUser(nobody, world.db, { email: address, passwordHash: await passwordHash, emailVerified: true })
  const memberships = Array.isArray(member) ? member : [member]
  for (const { projectId, role } of memberships) await world.db.run(insertMember, [projectId, id, role, world.clock.now()])
  const session = await newSession(nobody)
  await world.db.transaction((tx) => openSession(nobody, tx, { session, userId: id }))
  const cookie = (nobody.answer.cookies ?? []).map((line) => line.split(';')[0]).join('; ')
  const ctx = await authenticate(world, { cookie, requestId: 'req_test' }, { access: 'user', method: 'GET' })
  return { userId: id, email: address, password, cookie, ctx: memberships[0] ? chooseProject(ctx, memberships[0].projectId) : ctx }
}
