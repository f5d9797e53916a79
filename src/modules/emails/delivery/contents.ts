import { batch } from '../../../kit/batch.ts'
import type { World } from '../../../kit/world.ts'
import { perWorld } from '../../../kit/world.ts'
import type { Content } from '../message/content.ts'
import { readAttachments, readContents } from './sql.ts'

/** Loads a content; kept for the next recipients of the same call, within 32 MB a process. */
export async function loadContent(world: World, key: { projectId: string; contentId: string }): Promise<Content> {
  const shelf = shelfOf(world)
  const name = `${key.projectId}/${key.contentId}`
  const there = shelf.kept.get(name)
  if (there) return there.content
  const content = shelf.read(key)
  shelf.kept.set(name, { content, weight: 0 })
  content.then(
    ({ weight }) => shelf.weigh(name, weight),
    () => shelf.kept.delete(name),
  )
  return content
}

const mostBytes = 32_000_000
const mostKept = 1_000
const mostRead = 50

const shelfOf = perWorld((world) => {
  const kept = new Map<string, { content: Promise<Content>; weight: number }>()
  let held = 0
  return {
    kept,
    read: batch((keys: { projectId: string; contentId: string }[]) => readAll(world, keys), mostRead),
    weigh(name: string, weight: number): void {
      const entry = kept.get(name)
      if (!entry) return
      entry.weight = weight
      held += weight
      for (const [oldest, { weight: freed }] of kept) {
        if (held <= mostBytes && kept.size <= mostKept) return
        kept.delete(oldest)
        held -= freed
      }
    },
  }
})

async function readAll({ db }: World, keys: { projectId: string; contentId: string }[]): Promise<Content[]> {
  const rows = await db.run(readContents, [keys.map(({ projectId }) => projectId), keys.map(({ contentId }) => contentId)])
  const found = new Map(rows.map((row) => [`${row.projectId}/${row.id}`, row]))
  return Promise.all(
    keys.map(async ({ projectId, contentId }) => {
      const row = found.get(`${projectId}/${contentId}`)
      if (!row) throw new Error(`The content ${contentId} is gone`)
      const attachments = row.attached ? await db.run(readAttachments, [projectId, contentId]) : []
      const weight = row.html.length + (row.text?.length ?? 0) + attachments.reduce((sum, { bytes }) => sum + bytes.length, 1_000)
      return { ...row, attachments, weight }
    }),
  )
}
