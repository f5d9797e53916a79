import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')

/** Collects what nothing holds any more, so that what memory is counted afterwards is held by something. */
export const collectGarbage = runInNewContext('gc') as () => void
