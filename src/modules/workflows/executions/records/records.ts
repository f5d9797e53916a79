import { bodyLoader } from '../../../../kit/bodies.ts'
import { loader, type Reading, type ReadingAlone } from '../../../../kit/load.ts'
import { keyOf, type StepOfVersion } from '../executions.ts'
import { selectFrozenInputs } from '../versions/sql.ts'
import { selectEmailsOfRecords, selectInputs, selectOutputs } from './sql.ts'

/** What a step of an execution did, by its key. */
export interface StepRecord {
  id: string
  executionId: string
}

const nameOf = ({ executionId, id }: StepRecord) => ({ id: `${executionId} ${id}` })
const loadInput = bodyLoader({ select: selectInputs })
const loadOutput = bodyLoader({ select: selectOutputs })
const loadConfig = bodyLoader({ select: selectFrozenInputs })

/**
 * What a step of an execution was asked to do: what was recorded, or the config of the step; null when its workflow was deleted. Of those that
 * a call asks for at once only the first one and 4 MB are read. Fails with PAYLOAD_TOO_LARGE for the others.
 */
export async function findInput(ctx: ReadingAlone, record: StepRecord, step: StepOfVersion): Promise<unknown> {
  return JSON.parse((await loadInput(ctx, nameOf(record))) ?? (await loadConfig(ctx, { id: keyOf(step) })) ?? 'null')
}

/** What it did or found out, or null before; bounded in the same way. */
export async function findOutput(ctx: ReadingAlone, record: StepRecord): Promise<unknown> {
  return JSON.parse((await loadOutput(ctx, nameOf(record))) ?? 'null')
}

const loadEmail = loader(({ db, projectId }, ids) => db.run(selectEmailsOfRecords, [projectId, ids]))

/** The id of the email that it has sent; null where it sent none. Those of concurrent calls are one statement. */
export async function findEmailIdOf(ctx: Reading, record: StepRecord): Promise<string | null> {
  return (await loadEmail(ctx, nameOf(record), {}))?.emailId ?? null
}
