import type { Notices } from '../../kit/notices.ts'

const mostMs = 1_000

/**
 * Publishes a notice and waits until it came back to this process, so that every cache which listens has forgotten by
 * then; Postgres hands it to the other processes at the same moment. At most 1 s: caches are not trusted while notices
 * do not arrive.
 */
export async function announceAndHear(notices: Notices, topic: string, key: string): Promise<void> {
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
}
