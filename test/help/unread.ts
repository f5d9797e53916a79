import { callIn } from '../../src/kit/context.ts'
import type { World } from '../../src/kit/world.ts'
import { holdUnread } from '../../src/server/unread.ts'

/** What a process has sent of large answers that is not read, as the next one finds it. */
export function unreadBytes(world: World): Promise<number> {
  return reservedBytes(world, 'unread_answers')
}

/** What work of a process has reserved of a budget, as its metrics say. */
export async function reservedBytes(world: World, budget: string): Promise<number> {
  const budgets = (await world.metrics.registry.getMetricsAsJSON()).find(({ name }) => name === 'postwire_reserved_bytes')
  return budgets?.values.find(({ labels }) => labels.budget === budget)?.value ?? 0
}

/** As if other streams of a key and an address had so much unread, until it is released. */
export function holdUnreadOf(world: World, { projectId, address, bytes }: { projectId: string; address: string; bytes: number }) {
  const held = holdUnread(callIn(world, { projectId, client: { address }, actor: { kind: 'key', key: 'SECRET', projectDisabled: false } }))
  held.add(bytes)
  return held
}
