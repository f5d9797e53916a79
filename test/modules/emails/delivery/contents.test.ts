import { expect, test } from 'vitest'
import type { World } from '../../../../src/kit/world.ts'
import { loadContent } from '../../../../src/modules/emails/delivery/contents.ts'
import { readContents } from '../../../../src/modules/emails/delivery/sql.ts'
import { accept, sendingProject } from '../../../help/mails.ts'
import { testWorld } from '../../../help/world.ts'

const world = await testWorld({ env: { MAX_ATTACHMENT_SIZE_MB: '28' } })

/** A world with an empty cache that counts the contents it reads. */
function freshProcess(): { world: World; read: string[] } {
  const read: string[] = []
  const run: World['db']['run'] = (asked, values) => {
    if (asked.name === readContents.name) read.push(...(values[1] as string[]))
    return world.db.run(asked, values)
  }
  return { world: { ...world, db: { ...world.db, run } }, read }
}

async function contentOf(draft: Parameters<typeof accept>[1] = {}): Promise<{ projectId: string; contentId: string }> {
  const { ctx, projectId } = await sendingProject(world)
  const { id } = await accept(ctx, draft)
  const { contentId } = await world.db.prisma.email.findUniqueOrThrow({ where: { projectId_id: { projectId, id } } })
  return { projectId, contentId: contentId ?? '' }
}

test('a content is read once for all its recipients, even for concurrent reads', async () => {
  const key = await contentOf()
  const { world: process, read } = freshProcess()
  const [first, second] = await Promise.all([loadContent(process, key), loadContent(process, key)])
  expect(await loadContent(process, key)).toBe(first)
  expect(second).toBe(first)
  expect(read).toEqual([key.contentId])
})

test('the largest possible content is read once, too', async () => {
  const content = Buffer.alloc(28_000_000, 'x').toString('base64')
  const key = await contentOf({ attachments: [{ filename: 'large.bin', content, contentType: 'application/octet-stream' }] })
  const { world: process, read } = freshProcess()
  const first = await loadContent(process, key)
  expect(first.attachments[0]?.base64.length).toBe(Math.ceil(28_000_000 / 3) * 4 + 2 * (Math.ceil(28_000_000 / 57) - 1))
  await loadContent(process, key)
  expect(read).toEqual([key.contentId])
})

test('a content that does not exist fails, each time', async () => {
  const { projectId } = await contentOf()
  const { world: process } = freshProcess()
  for (let time = 0; time < 2; time++)
    await expect(loadContent(process, { projectId, contentId: 'content_none' })).rejects.toThrow('content_none does not exist')
})
