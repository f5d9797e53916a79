import { batch, readsBeside } from '../../../kit/batch.ts'
import type { Ctx } from '../../../kit/context.ts'
import { perWorld } from '../../../kit/world.ts'
import { type LogReader, rangeParameters } from '../../events/reader/reader.ts'
import { countLinks, type LinkRow, selectLinks } from './sql.ts'

/** How many links of a campaign are counted, each apart. */
export const maxLinksCounted = 1_000
/** How many links of a campaign are shown. */
export const maxLinksShown = 100
const maxAtOnce = 500

/**
 * Counts every click by the link of its campaign. A reader of its own, apart from that of the other counts: it began later, and counts
 * the clicks from before as well.
 */
export const linkReader: LogReader = {
  name: 'campaign links',
  maxLines: 5_000,
  async handle(tx, range) {
    await tx.run(countLinks, [...rangeParameters(range), maxLinksCounted])
  },
}

const loaderOf = perWorld(({ db }) =>
  batch(
    async (asked: { projectId: string; id: string }[]) => {
      const rows = await db.run(selectLinks, [asked.map(({ projectId }) => projectId), asked.map(({ id }) => id), maxLinksShown])
      const links: LinkRow[][] = asked.map(() => [])
      for (const { ord, ...link } of rows) links[ord - 1]?.push(link)
      return links
    },
    maxAtOnce,
    readsBeside,
  ),
)

/** The links of a campaign that most people have followed, at most 100, at most 2 s behind the log; concurrent calls are one statement. */
export async function listCampaignLinks(
  { world, projectId }: Pick<Ctx, 'world' | 'projectId'>,
  { id }: { id: string },
): Promise<LinkRow[]> {
  return loaderOf(world)({ projectId, id })
}
