import { createCache } from '../../kit/cache.ts'
import { type Ctx, callIn } from '../../kit/context.ts'
import { Failure } from '../../kit/errors.ts'
import { isDuplicate } from '../../kit/postgres/db.ts'
import { perWorld, type World } from '../../kit/world.ts'
import { createDomain, requireSendingDomain } from '../domains/domains.ts'
import { createProject } from '../projects/projects.ts'

/** The sender of the installation's own emails. */
export interface Sender {
  email: string
  name: string | undefined
}

/** The sender of PLATFORM_FROM: an address, or `Name <address>`. */
export function senderOf({ config }: Pick<World, 'config'>): Sender {
  const [, name, address] = /^(.*)<([^<>]+)>$/.exec(config.PLATFORM_FROM) ?? []
  return { email: (address ?? config.PLATFORM_FROM).trim().toLowerCase(), name: name?.trim().replace(/^"(.*)"$/, '$1') || undefined }
}

/**
 * A context in the project that sends the installation's own emails: PLATFORM_PROJECT_ID, or outside production a project
 * that is created on first use.
 */
export async function platformContext(world: World): Promise<Ctx> {
  const projectId = world.config.PLATFORM_PROJECT_ID ?? (await ownProject(world).find('id'))
  return callIn(world, { projectId, actor: { kind: 'system' } })
}

/** Says in the log when the installation's own emails would be refused: nobody whom it waits for would tell the operator. */
export async function checkSender(world: World): Promise<void> {
  if (!world.config.PLATFORM_PROJECT_ID) return
  const { email } = senderOf(world)
  await requireSendingDomain(await platformContext(world), email).catch((error: unknown) => {
    if (!(error instanceof Failure && error.code === 'DOMAIN_NOT_VERIFIED')) throw error
    world.log.warn(
      { from: email, projectId: world.config.PLATFORM_PROJECT_ID },
      'platform: the domain of PLATFORM_FROM is not verified in the project of PLATFORM_PROJECT_ID, so that no links which verify an address or reset a password can be sent',
    )
  })
}

const ownProject = perWorld((world) => createCache({ max: 1, load: (_its: 'id') => createOwnProject(world) }))

// When several processes do this at once, one creates it and the others find it. It has no members.
async function createOwnProject(world: World): Promise<string> {
  const projectId = world.config.platformProjectId
  if (projectId === undefined) throw new Error('PLATFORM_PROJECT_ID must be set in production')
  const ctx = callIn(world, { projectId, actor: { kind: 'system' } })
  await createProject(ctx, { name: 'Postwire', id: projectId }).catch((error: unknown) => {
    if (!isDuplicate(error)) throw error
  })
  const domain = senderOf(world).email.replace(/^.*@/, '')
  await createDomain(ctx, { domain }).catch((error: unknown) => {
    if (!(error instanceof Failure && error.code === 'CONFLICT')) throw error
  })
  return projectId
}
