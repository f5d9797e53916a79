import { randomBytes } from 'node:crypto'
import { chooseProject } from '../../src/kit/access.ts'
import { type Ctx, callIn, type Role } from '../../src/kit/context.ts'
import { newId } from '../../src/kit/ids.ts'
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
  const ctx = await authenticate(world, { cookie, requestId: 'req_test' }, { access: 'user', write: false })
  return { userId: id, email: address, password, cookie, ctx: memberships[0] ? chooseProject(ctx, memberships[0].projectId) : ctx }
}

/** Adds sessions that were last used at a time and shortly before it, the first one longest ago; default: an hour ago. Returns their ids. */
export async function addSessions(world: World, userId: string, count: number, seenAt = hoursFrom(world, -1)): Promise<string[]> {
  const times = Array.from({ length: count }, (_, index) => new Date(seenAt.getTime() - (count - index) * 1_000))
  const common = { userId, createdAt: world.clock.now(), expiresAt: hoursFrom(world, 48) }
  const data = times.map((at) => ({ ...common, id: newId('session', at), seenAt: at }))
  await world.db.prisma.session.createMany({ data })
  return data.map(({ id }) => id)
}

/** The time so many hours from now. */
export const hoursFrom = ({ clock }: World, hours: number): Date => new Date(clock.now().getTime() + hours * 3_600_000)
