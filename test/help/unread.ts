import type { World } from '../../src/kit/world.ts'

/** What a process has sent of large answers that is not read, as the next one finds it. */
export async function unreadBytes(world: World): Promise<number> {
  const budgets = (await world.metrics.registry.getMetricsAsJSON()).find(({ name }) => name === 'postwire_reserved_bytes')
  return budgets?.values.find(({ labels }) => labels.budget === 'unread_answers')?.value ?? 0
}
