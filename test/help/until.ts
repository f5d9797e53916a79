import { setTimeout as pause } from 'node:timers/promises'

const firstMs = 5
const lastMs = 60

/** Waits until a condition holds, checking it soon and then more and more seldom, at least every 60 ms; fails after `timeoutMs`. */
export async function until(holds: () => Promise<boolean>, timeoutMs = 60_000): Promise<void> {
  const deadline = Date.now() + timeoutMs
  for (let stepMs = firstMs; !(await holds()); stepMs = Math.min(stepMs * 1.5, lastMs)) {
    if (Date.now() > deadline)
      throw new Error(`This condition did not become true within ${timeoutMs} ms: ${holds.toString().slice(0, 300)}`)
    await pause(stepMs)
  }
}
