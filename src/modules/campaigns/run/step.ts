import type { Transaction } from '../../../kit/postgres/db.ts'
import type { World } from '../../../kit/world.ts'
import type { CampaignStep, DueCampaign } from './sql.ts'

/** Writes what a step does, in the transaction that moves the campaign on; returns what changes of it. */
export type Write = (tx: Transaction) => Promise<CampaignStep>

/** One step of a campaign: it first reads what may take long, outside of any transaction. */
export type Step = (world: World, campaign: DueCampaign) => Promise<Write>
