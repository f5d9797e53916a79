import { timingSafeEqual } from 'node:crypto'
import { createCache } from '../../../kit/cache.ts'
import { perWorld, type World } from '../../../kit/world.ts'
import { bounceHostOf } from '../../domains/dns/records.ts'
import { findReturnPath } from './sql.ts'

type EmailKey = { projectId: string; id: string }

const purpose = 'return path'
const prefix = 'b+'
const alphabet = 'abcdefghijklmnopqrstuvwxyz234567'
const shape = /^b\+([0-9a-z]{26})([0-9a-z]{26})([a-z2-7]{10})@bounce\.[^@\s]+$/

/**
 * The return path of an email: what comes back to it is about this email. It has 64 octets before the @, as many as may be
 * (RFC 5321, 4.5.3.1.1), in lower case, because some mail servers change the case: project, email, and 50 bits of a keyed hash.
 */
export function returnPathOf({ vault }: Pick<World, 'vault'>, { projectId, id }: EmailKey, domain: string): string {
  const named = `${projectId.slice(4)}${id.slice(4)}`
  return `${prefix}${named}${markOf(vault, named)}@${bounceHostOf(domain)}`
}

/** The email that a return path names, in any case; null for one that is forged. */
export function readReturnPath({ vault }: Pick<World, 'vault'>, address: string): { projectId: string; emailId: string } | null {
  const [, project = '', email = '', mark = ''] = shape.exec(address.toLowerCase()) ?? []
  const expected = Buffer.from(markOf(vault, `${project}${email}`))
  if (mark.length !== expected.length || !timingSafeEqual(Buffer.from(mark), expected)) return null
  return { projectId: `prj_${project}`, emailId: `eml_${email}` }
}

function markOf(vault: World['vault'], named: string): string {
  const tag = vault.tag(purpose, named)
  return digits(tag.readUInt32BE(0) >>> 7) + digits(tag.readUInt32BE(4) >>> 7)
}

// 25 bits.
function digits(value: number): string {
  let out = ''
  for (let shift = 20; shift >= 0; shift -= 5) out += alphabet[(value >>> shift) & 31]
  return out
}

/**
 * The envelope sender (MAIL FROM) of an email: its return path where this installation receives bounces and the sender domain leads
 * them here, otherwise the address it is from.
 */
export async function envelopeSenderOf(world: World, email: EmailKey & { domainId: string | null }, fromAddress: string): Promise<string> {
  const { BOUNCE_PORT: port, transport } = world.config
  if (port === undefined || email.domainId === null || transport !== 'smtp') return fromAddress
  const domain = await domainCache(world).find({ projectId: email.projectId, domainId: email.domainId })
  return domain === null ? fromAddress : returnPathOf(world, email, domain)
}

const domainMs = 60_000

// The name of a domain whose RETURN_PATH record is verified, otherwise null: a minute old at most.
const domainCache = perWorld((world) =>
  createCache({
    max: 1_000,
    ttlMs: domainMs,
    clock: world.clock,
    stores: () => true,
    nameOf: ({ projectId, domainId }: { projectId: string; domainId: string }) => `${projectId}/${domainId}`,
    load: async ({ projectId, domainId }) => (await world.db.run(findReturnPath, [projectId, domainId]))[0]?.domain ?? null,
  }),
)
