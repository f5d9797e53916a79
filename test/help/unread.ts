import type { World } from '../../src/kit/world.ts'

/** What a process has sent of large answers that is not read, as the next one finds it. */
export function unreadBytes(world: World): Promise<number> {
  return reservedBytes(world, 'unread_answers')
}

/** What work of a process has reserved of a budget, as its metrics say. */
export async function reservedBytes(world: World, budget: string): Promise<number> {
  const budgets = (await world.metrics.registry.getMetricsAsJSON()).find(({ name }) => name === 'postwire_reserved_bytes')
  return budgets?.values.find(({ labels }) => labels.budget === budget)?.value ?? 0
}
