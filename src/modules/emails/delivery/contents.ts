import { batch } from '../../../kit/batch.ts'
import { createCache } from '../../../kit/cache.ts'
import type { World } from '../../../kit/world.ts'
import { perWorld } from '../../../kit/world.ts'
import { encodeAttachment } from '../message/compose.ts'
import { type Content, maxContentBytes } from '../message/content.ts'
import type { RenderTask } from '../message/thread.ts'
import type { ClaimedEmail } from '../queue/claim.ts'
import { readAttachments, readContactData, readContents, readSigningKey } from './sql.ts'
import { transportOf } from './transport.ts'

interface ContentKey {
  projectId: string
  contentId: string
}

/** Loads a content with its attachments; cached for the other recipients of the same call, up to 80 MB per process. */
export function loadContent(world: World, { projectId, contentId }: ContentKey): Promise<Content> {
  return contentCache(world).find({ projectId, contentId })
}

/**
 * Loads the custom data of the contact of an email, as JSON, which the thread that renders the email reads; empty when the contact was
 * removed meanwhile.
 */
export async function loadContactData(world: World, email: ClaimedEmail): Promise<string> {
  return (await contactDataOf(world)(email)) ?? '{}'
}

const contactDataOf = perWorld(({ db }) =>
  batch(async (emails: ClaimedEmail[]) => {
    const rows = await db.run(readContactData, [emails.map(({ projectId }) => projectId), emails.map(({ contactId }) => contactId)])
    const found = new Map(rows.map(({ id, data }) => [id, data]))
    return emails.map(({ contactId }) => found.get(contactId))
  }, maxRead),
)

const maxRead = 50

// Never invalidated: a content does not change after it is accepted.
const contentCache = perWorld((world) =>
  createCache({
    max: 1_000,
    weight: { max: maxContentBytes, weigh: ({ answer }) => answer.bytes },
    nameOf: ({ projectId, contentId }: ContentKey) => `${projectId}/${contentId}`,
    load: batch<ContentKey, Content>((keys) => readAll(world, keys), maxRead),
  }),
)

async function readAll({ db }: World, keys: ContentKey[]): Promise<Content[]> {
  const rows = await db.run(readContents, [keys.map(({ projectId }) => projectId), keys.map(({ contentId }) => contentId)])
  const found = new Map(rows.map((row) => [`${row.projectId}/${row.id}`, row]))
  return Promise.all(
    keys.map(async ({ projectId, contentId }) => {
      const row = found.get(`${projectId}/${contentId}`)
      if (!row) throw new Error(`The content ${contentId} does not exist`)
      return { ...row, attachments: row.attached ? (await db.run(readAttachments, [projectId, contentId])).map(encodeAttachment) : [] }
    }),
  )
}

/** The DKIM key of the domain an email is sent from, cached after the first read; null when the domain was removed, and where the transport does not sign. */
export async function signingKeyOf(
  world: World,
  { projectId, domainId }: Pick<ClaimedEmail, 'projectId' | 'domainId'>,
): Promise<RenderTask['key']> {
  return domainId === null || !transportOf(world).signs ? null : keyCache(world).find({ projectId, domainId })
}

interface DomainKey {
  projectId: string
  domainId: string
}

// Never invalidated: the key of a domain does not change, and a domain that is added again has another id.
const keyCache = perWorld((world) =>
  createCache({
    max: 1_000,
    nameOf: ({ projectId, domainId }: DomainKey) => `${projectId}/${domainId}`,
    load: (domain) => readKey(world, domain),
  }),
)

async function readKey(world: World, { projectId, domainId }: DomainKey): Promise<RenderTask['key']> {
  const [row] = await world.db.run(readSigningKey, [projectId, domainId])
  if (!row) return null
  const pem = world.vault.open('dkim', row.sealed)
  return { domain: row.domain, selector: row.selector, pem, unsigned: transportOf(world).replaces ?? [] }
}
