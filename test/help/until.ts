import { setTimeout as pause } from 'node:timers/promises'

const stepMs = 10

/** Waits until a condition holds, asking again and again; fails with a sentence after `patienceMs`. */
export async function until(holds: () => Promise<boolean>, patienceMs = 10_000): Promise<void> {
  const deadline = Date.now() + patienceMs
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`What was waited for did not happen in ${patienceMs} ms: ${holds.toString().slice(0, 300)}`)
    await pause(stepMs)
  }
}
