/** How many turns the loop of the process gets while work is done: how often others are answered meanwhile. */
export async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0
  let isDone = false
  const count = (): void => {
    turns++
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  try {
    await work()
  } finally {
    isDone = true
  }
  return turns
}
