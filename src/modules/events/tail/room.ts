import { createSignal } from '../../../kit/signal.ts'
import { createTally } from '../../../kit/tally.ts'
import { createTurns } from '../../../kit/turns.ts'
import { perWorld } from '../../../kit/world.ts'
import type { Subscriber } from './subscriber.ts'

/** What owners, such as an account and its project, have of pages of lines that were read from the table and wait to be taken. */
export interface Pages {
  /**
   * Does work that reads a page, when there is room for one. The owners have room while they have nothing, whatever others have, and
   * while they have less than 16 MB and all together less than 64 MB. Work of one owner is done one after the other.
   */
  withRoom<Result>(owners: PageOwners, subscriber: Reader, work: () => Promise<Result>): Promise<Result>
  /** Counts a page until its subscriber has taken it. */
  hold(owners: PageOwners, subscriber: Reader, bytes: number): void
  /** How many bytes all have at the moment, and of how many. */
  use(): { taken: number; max: number }
}

/** Whose page it is. */
export type PageOwners = readonly [string, ...string[]]

type Reader = Pick<Subscriber, 'ended' | 'drained' | 'interrupt'>

interface Page {
  owners: PageOwners
  subscriber: Reader
  bytes: number
  /** How long it waits to be taken: not long, a second, or 15 seconds. */
  state: 'new' | 'slow' | 'stalled'
}

const megabyte = 1024 * 1024
const maxBytes = { ofOwner: 16 * megabyte, inAll: 64 * megabyte }
const slowMs = 1_000
const stalledMs = 15_000

/** The pages of a process. */
export const pagesOf = perWorld(({ metrics, closing }) => {
  const pages = createPages(closing)
  metrics.reserved.watch('replayed_lines', pages)
  return pages
})

/**
 * Creates pages, of which there are none yet. A reader that takes longer than a second is interrupted when all have too much and it is one
 * of the owner with the most; one that takes longer than 15 s when others of its owner wait.
 */
export function createPages(closing?: AbortSignal): Pages {
  const turns = createTurns({ max: Number.POSITIVE_INFINITY, maxPerOwner: 1 })
  // The oldest first.
  const pages = new Set<Page>()
  const waiting = new Set<PageOwners>()
  const held = createTally()
  const freed = createSignal(closing)

  const mostOf = (owners: PageOwners): number => Math.max(...owners.map(held.of))
  const hasRoom = (owners: PageOwners): boolean =>
    mostOf(owners) === 0 || (mostOf(owners) < maxBytes.ofOwner && held.total < maxBytes.inAll)
  const isShort = (): boolean =>
    held.total > maxBytes.inAll || [...waiting].some((owners) => !hasRoom(owners) && mostOf(owners) < maxBytes.ofOwner)

  function release(page: Page): void {
    if (!pages.delete(page)) return
    held.add(page.owners, -page.bytes)
    freed.notify()
  }

  function interrupt(page: Page): void {
    page.subscriber.interrupt()
    release(page)
  }

  // Of the owner with the most, the one that has waited longest.
  function slowest(): Page | undefined {
    const slow = [...pages].filter(({ state }) => state !== 'new')
    return slow.reduce<Page | undefined>((most, page) => (most && mostOf(most.owners) >= mostOf(page.owners) ? most : page), undefined)
  }

  function makeRoom(): void {
    for (let page = isShort() && slowest(); page; page = isShort() && slowest()) interrupt(page)
    for (const owners of [...waiting].filter((one) => !hasRoom(one))) {
      const page = [...pages].find((one) => one.state === 'stalled' && one.owners.some((owner) => owners.includes(owner)))
      if (page) interrupt(page)
    }
  }

  function age(page: Page, state: Page['state'], ms: number): () => void {
    const timer = setTimeout(() => {
      page.state = state
      makeRoom()
    }, ms).unref()
    return () => clearTimeout(timer)
  }

  async function waitForRoom(owners: PageOwners, subscriber: Reader): Promise<void> {
    if (hasRoom(owners)) return
    waiting.add(owners)
    makeRoom()
    while (!hasRoom(owners) && !subscriber.ended) await freed.wait()
    waiting.delete(owners)
  }

  return {
    withRoom: (owners, subscriber, work) =>
      turns.run(owners, async () => {
        await waitForRoom(owners, subscriber)
        return work()
      }),
    hold(owners, subscriber, bytes) {
      if (bytes === 0) return
      const page: Page = { owners, subscriber, bytes, state: 'new' }
      pages.add(page)
      held.add(owners, bytes)
      const young = [age(page, 'slow', slowMs), age(page, 'stalled', stalledMs)]
      void subscriber.drained().then(() => {
        for (const stop of young) stop()
        release(page)
      })
      makeRoom()
    },
    use: () => ({ taken: held.total, max: maxBytes.inAll }),
  }
}
