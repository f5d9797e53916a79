import { requireSameProject } from '../../kit/access.ts'
import type { Ctx } from '../../kit/context.ts'
import { notFound } from '../../kit/errors.ts'
import { rowsOfProjects } from '../../kit/load.ts'
import type { Executor } from '../../kit/postgres/db.ts'
import { type Counts, judge, newForDays, percent, type Verdict, type Windows } from './levels.ts'
import type { ReputationWindow, Security, SuspensionReason } from './shapes.ts'
import { listSuspensions, type ReputationRow, readReputation } from './sql.ts'

const dayMs = 86_400_000
const maxSuspensions = 20
const rowOf = rowsOfProjects(readReputation, (now) => [now])
const suspensionsOf = rowsOfProjects(listSuspensions, () => [maxSuspensions])

/**
 * The bounces and complaints of the project, how serious they are, and its latest suspensions. Fails with
 * RESOURCE_NOT_FOUND for another project's id.
 */
export async function getSecurity(ctx: Ctx, { id }: { id: string }): Promise<Security> {
  requireSameProject(ctx, id)
  const { clock, projectId } = ctx
  const [[row], suspensions] = await Promise.all([rowOf(ctx), suspensionsOf(ctx)])
  if (!row) throw notFound()
  const { windows, verdict, isNew, disabled } = judged(row, clock.now())
  return {
    status: {
      projectId,
      isHealthy: verdict.violations.length === 0,
      shouldDisable: verdict.violations.length > 0,
      twentyFourHour: windowOf(windows.twentyFourHour),
      sevenDay: windowOf(windows.sevenDay),
      allTime: windowOf(windows.allTime),
      isNewProject: isNew,
      violations: verdict.violations.map(({ sentence }) => sentence),
      warnings: verdict.warnings.map(({ sentence }) => sentence),
    },
    levels: verdict.levels,
    isDisabled: disabled,
    // Every write is checked by the same shape.
    recentSuspensions: suspensions.map(({ projectId: _its, ...one }) => ({ ...one, reason: one.reason as SuspensionReason })),
  }
}

/** The counts of a project at a moment, and their verdict. */
export interface Reputation {
  windows: Windows
  verdict: Verdict
  isNew: boolean
  disabled: boolean
}

/** Reads and judges the counts of a project; null for one that was deleted. */
export async function findReputation(on: Executor, { projectId, at }: { projectId: string; at: Date }): Promise<Reputation | null> {
  const [row] = await on.run(readReputation, [[projectId], at])
  return row ? judged(row, at) : null
}

function judged(row: ReputationRow, at: Date): Reputation {
  const isNew = at.getTime() - row.createdAt.getTime() < newForDays * dayMs
  const windows = windowsOf(row)
  return { windows, verdict: judge(windows, { isNew }), isNew, disabled: row.disabled }
}

function windowsOf(row: ReputationRow): Windows {
  return {
    twentyFourHour: { sent: row.daySent, bounces: row.dayBounces, complaints: row.dayComplaints },
    sevenDay: { sent: row.weekSent, bounces: row.weekBounces, complaints: row.weekComplaints },
    allTime: { sent: row.sent, bounces: row.bounces, complaints: row.complaints },
  }
}

function windowOf({ sent, bounces, complaints }: Counts): ReputationWindow {
  return { total: sent, bounces, complaints, bounceRate: percent(bounces, sent), complaintRate: percent(complaints, sent) }
}
