/**
 * Yields what a source yields, which is asked for the next item while the consumer works on the last one. When the consumer
 * ends early, the item under way is waited for and dropped, and the source is closed.
 */
export async function* readAhead<Item>(source: AsyncIterable<Item>): AsyncGenerator<Item, void> {
  const items = source[Symbol.asyncIterator]()
  let next = items.next()
  try {
    for (;;) {
      const { done, value } = await next
      if (done) return
      next = items.next()
      // The consumer is told of an error when it asks for the item; until then nobody waits for it.
      void Promise.allSettled([next])
      yield value
    }
  } finally {
    await items.return?.()
  }
}
