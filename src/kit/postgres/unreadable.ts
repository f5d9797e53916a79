import type { Duplex } from 'node:stream'

/** A client whose connection is open; the driver does not declare it. */
interface Connected {
  connection: { stream: Duplex }
}

/**
 * Ends a connection whose answer cannot be taken in, such as one with a value of more than 512 MB, which has no place in a string: the
 * driver throws where nobody could catch it, and the process would end. The statement fails with the error instead.
 */
export function endOnUnreadable(client: object): void {
  const { stream } = (client as Connected).connection
  const [take, ...others] = stream.listeners('data')
  if (take === undefined || others.length > 0) throw new Error('The driver takes in what Postgres sends in an unknown way')
  stream.off('data', take as () => void)
  stream.on('data', (bytes: Buffer) => {
    try {
      take.call(stream, bytes)
    } catch (error) {
      stream.destroy(error as Error)
    }
  })
}
