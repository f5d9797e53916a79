import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

// Outside what systems hand out to outgoing connections and to listeners that name no port: 32,768 and above on Linux, 49,152 on others.
// What a test binds, ends and binds again is then taken by nobody in between.
const [first, end] = [10_000, 32_768]

/** A port that nothing on this machine listens on, and that the system gives to nothing by itself. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(first, end)
    if (await isFree(port)) return port
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  const listens = await new Promise<boolean>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => (error.code === 'EADDRINUSE' ? resolve(false) : reject(error)))
    server.listen(port, () => resolve(true))
  })
  if (listens) await new Promise((resolve) => server.close(resolve))
  return listens
}
