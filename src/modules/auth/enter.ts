import { type Ctx, callIn } from '../../kit/context.ts'
import { Failure } from '../../kit/errors.ts'
import type { World } from '../../kit/world.ts'
import { findProjectKey } from './keys.ts'

/** What an entrance knows of a caller before asking who it is. */
export interface Caller {
  authorization?: string | undefined
  requestId?: string
  client?: Ctx['client']
}

const bearer = /^Bearer +(\S+)$/i

/**
 * The context of a caller with an API key. Fails with MISSING_AUTH without a usable Authorization header and with
 * INVALID_API_KEY for an unknown key (interface.md, Authentication).
 */
export async function enter(world: World, { authorization, requestId, client }: Caller): Promise<Ctx> {
  const key = bearer.exec(authorization ?? '')?.[1]
  if (!key) throw new Failure('MISSING_AUTH')
  const row = /^(pk|sk)_[0-9a-f]{64}$/.test(key) ? await findProjectKey(world, key) : null
  if (!row) throw new Failure('INVALID_API_KEY')
  return callIn(world, {
    projectId: row.projectId,
    actor: { kind: 'key', key: row.kind, projectDisabled: row.disabled },
    ...(requestId && { requestId }),
    ...(client && { client }),
  })
}

/** Refuses a public key where a secret one is needed. */
export function requireSecret({ actor }: Pick<Ctx, 'actor'>): void {
  if (actor.kind === 'key' && actor.key === 'PUBLIC') throw new Failure('INVALID_API_KEY', 'A public key may only call POST /v1/track.')
}

/** Refuses a write to a suspended project with PROJECT_DISABLED; reads go on working. */
export function requireActive({ actor }: Pick<Ctx, 'actor'>): void {
  if (actor.kind === 'key' && actor.projectDisabled) throw new Failure('PROJECT_DISABLED')
}
