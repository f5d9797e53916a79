import { type Budget, createBudget } from '../../../kit/budget.ts'
import { perWorld, type World } from '../../../kit/world.ts'
import type { ClaimedEmail } from '../queue/claim.ts'

/**
 * Waits until there is memory for an email and its content, and reserves it. A content that several emails share counts once.
 * Returns what gives it back.
 */
export async function reserveMemory(world: World, { projectId, contentId, contentBytes }: ClaimedEmail): Promise<() => void> {
  const { small, large, inUse } = memoryOf(world)
  // While it is rendered: the bodies, what they become, and the octets of the message.
  const messageBytes = baseBytes + Math.min(contentBytes, maxBodyBytes) * growth
  const giveBack = [await budgetFor(messageBytes).take(messageBytes)]
  const key = `${projectId}/${contentId}`
  const users = inUse.get(key) ?? 0
  inUse.set(key, users + 1)
  if (users === 0) sharedOf(world).set(key, budgetFor(contentBytes).take(contentBytes))
  await sharedOf(world).get(key)
  return () => {
    for (const give of giveBack.splice(0)) give()
    const left = (inUse.get(key) ?? 1) - 1
    if (left > 0) return void inUse.set(key, left)
    inUse.delete(key)
    const shared = sharedOf(world).get(key)
    sharedOf(world).delete(key)
    void shared?.then((give) => give())
  }

  function budgetFor(bytes: number): Budget {
    return bytes > largeFrom ? large : small
  }
}

const baseBytes = 20_000
const growth = 4
// The largest body; more than that are attachments, which are not copied.
const maxBodyBytes = 5_000_000
const largeFrom = 1_000_000

// Two budgets, so that large emails which wait for a slow server hold up no small ones.
const memoryOf = perWorld(() => ({ small: createBudget(64_000_000), large: createBudget(128_000_000), inUse: new Map<string, number>() }))
const sharedOf = perWorld(() => new Map<string, Promise<() => void>>())
