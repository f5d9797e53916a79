import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Notices, Topic } from './notices.ts'
import { createSignal } from './signal.ts'

const maxMs = 1_000
const othersMs = 100

/**
 * Publishes a notice and waits until every process may be taken to have handled it: until it came back to this one, whose
 * caches are emptied by then, and 100 ms more, as Postgres hands it to the others at the same moment but they may be
 * busy. At most 1.1 s: caches are not trusted while notices do not arrive.
 */
export async function announceEverywhere(notices: Notices, topic: Topic, key: string): Promise<void> {
  const returned = createSignal()
  // Tells this notice from an earlier one about the same key, which may have been sent before what it is about happened.
  const own = randomUUID()
  const stopListening = notices.listen(topic, (keys) => {
    if (!keys || keys.includes(own)) returned.notify()
  })
  notices.publish(topic, key)
  notices.publish(topic, own)
  await returned.wait(maxMs)
  stopListening()
  await pause(othersMs)
}
