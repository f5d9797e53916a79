import { setTimeout as pause } from 'node:timers/promises'
import type { Notices } from './notices.ts'

const mostMs = 1_000
const othersMs = 100

/**
 * Publishes a notice and waits until every process may be taken to have heard it: until it came back to this one, whose
 * caches have forgotten by then, and 100 ms more, as Postgres hands it to the others at the same moment but they may be
 * busy. At most 1.1 s: caches are not trusted while notices do not arrive.
 */
export async function announceEverywhere(notices: Notices, topic: string, key: string): Promise<void> {
  await new Promise<void>((resolve) => {
    const done = (): void => {
      clearTimeout(timer)
      forget()
      resolve()
    }
    const timer = setTimeout(done, mostMs)
    const forget = notices.listen(topic, (keys) => {
      if (!keys || keys.includes(key)) done()
    })
    notices.publish(topic, key)
  })
  await pause(othersMs)
}
