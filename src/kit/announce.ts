import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Notices, Topic } from './notices.ts'
import { createSignal } from './signal.ts'

const maxWaitMs = 1_000
const otherProcessesMs = 100

/**
 * Publishes a notice and waits until every process can be assumed to have handled it: until it has come back to this
 * process, whose caches are emptied by then, and 100 ms more, because Postgres delivers it to the others at the same moment
 * but they may be busy. At most 1.1 s: caches are not trusted while notices do not arrive.
 */
export async function announceEverywhere(notices: Notices, topic: Topic, key: string): Promise<void> {
  const returned = createSignal()
  // Distinguishes this notice from an earlier one with the same key, which may have been sent before the change.
  const own = randomUUID()
  const stopListening = notices.listen(topic, (keys) => {
    if (!keys || keys.includes(own)) returned.notify()
  })
  notices.publish(topic, key)
  notices.publish(topic, own)
  await returned.wait(maxWaitMs)
  stopListening()
  await sleep(otherProcessesMs)
}
