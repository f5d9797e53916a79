import type pg from 'pg'

/** How the connections of one pool are used at the moment. */
export interface PoolUse {
  pool: string
  used: number
  idle: number
  /** Callers that wait for a connection. */
  waiting: number
}

/** How the connections of some pools are used, by their names. */
export function countConnections(pools: Record<string, pg.Pool>): PoolUse[] {
  return Object.entries(pools).map(([pool, { totalCount, idleCount, waitingCount }]) => ({
    pool,
    used: totalCount - idleCount,
    idle: idleCount,
    waiting: waitingCount,
  }))
}

/**
 * Reports the loss of an idle connection to `onError`. A pool listens to no others: a loss right after one is handed out would have
 * no listener and end the process.
 */
export function survive(pool: pg.Pool, onError: (error: Error) => void): void {
  pool.on('error', onError)
  pool.on('connect', (client) => void client.on('error', () => undefined))
}
