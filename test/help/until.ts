import { setTimeout as pause } from 'node:timers/promises'

const stepMs = 10

/** Waits until a condition holds, checking it every 10 ms; fails after `timeoutMs`. */
export async function until(holds: () => Promise<boolean>, timeoutMs = 10_000): Promise<void> {
  const deadline = Date.now() + timeoutMs
  while (!(await holds())) {
    if (Date.now() > deadline)
      throw new Error(`This condition did not become true within ${timeoutMs} ms: ${holds.toString().slice(0, 300)}`)
    await pause(stepMs)
  }
}
