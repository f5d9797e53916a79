import type { World } from '../../../kit/world.ts'
import { advanceReader, type LogReader, rangeParameters } from '../../events/reader/reader.ts'
import { campaignsTopic } from '../run/wake.ts'
import { linkReader } from './links.ts'
import { countCampaigns } from './sql.ts'

/** Adds every line about an email of a campaign to the counts of the campaign. */
export const campaignReader: LogReader = {
  name: 'campaigns',
  maxLines: 5_000,
  async handle(tx, range, world) {
    const counted = await tx.run(countCampaigns, rangeParameters(range))
    tx.afterCommit(() => {
      for (const projectId of new Set(counted.map((row) => row.projectId))) world.notices.publish(campaignsTopic, projectId)
    })
  },
}

/**
 * Adds the next lines of the log to the counts of the campaigns and of their links; exact after any crash, safe in any number of
 * processes. Returns whether there may be more to count.
 */
export async function countCampaignLines(world: World): Promise<boolean> {
  // Links first: whoever is notified of new counts reads links that are as new.
  const moreLinks = await advanceReader(world, linkReader)
  return (await advanceReader(world, campaignReader)) || moreLinks
}
