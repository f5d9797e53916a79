import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { asker } from '../../help/ask.ts'
import { bearer, connect } from '../../help/live.ts'
import { collectGarbage } from '../../help/memory.ts'
import { testServer } from '../../help/server.ts'
import { freshProject } from '../../help/world.ts'

const { url, world } = await testServer()
const { secret } = await freshProject(world)

const calls = 60
let documentsMade = 0
// What the last one of a connection may still hold.
const maxHeld = 5

/** Counts the variables of calls that are read while a test runs, and those of them that something still holds. */
function countVariables(): { read(): number; held(): Promise<number> } {
  const { parse } = JSON
  const read: WeakRef<object>[] = []
  JSON.parse = (text: string, reviver?: Parameters<typeof parse>[1]) => {
    const value = parse(text, reviver)
    const variables = value?.variables ?? value?.payload?.variables
    if (variables) read.push(new WeakRef(variables))
    return value
  }
  onTestFinished(() => {
    JSON.parse = parse
  })
  return {
    read: () => read.length,
    async held() {
      // What a call has awaited is forgotten in the turn after it, and a WeakRef holds what was read in its own turn.
      for (let times = 0; times < 2; times++) {
        await nextTurn()
        collectGarbage()
      }
      return read.filter((one) => one.deref() !== undefined).length
    },
  }
}

const selection = 'nodes { emails(first: 100) { nodes { contact { emails(first: 100) { nodes { id } } } } } }'
const documents: Record<string, (nth: number) => string> = {
  'whose document cannot be parsed': (nth) => `query Q${nth}($v: JSON) {`,
  'whose document does not fit the schema': (nth) => `query Q${nth}($v: JSON) { __typename }`,
  'whose document has a wrong value': (nth) => `query Q${nth} { contacts(first: "x") { totalCount } }`,
  'whose variables are wrong': (nth) => `query Q${nth}($v: Int!) { contacts(first: $v) { totalCount } }`,
  'that cost too much': (nth) => `query Q${nth} { contacts(first: 100) { ${selection} } }`,
  'that are for others': (nth) => `query Q${nth} { viewer { email } }`,
  'whose fields fail': (nth) => `query Q${nth} { a: event(id: "${nth}") { id } contacts(first: -1) { totalCount } }`,
  'that succeed': (nth) => `query Q${nth} { contacts(first: 1) { totalCount } }`,
}

describe.each(Object.entries(documents))(
  'after operations %s, each with a document of its own, nothing holds their variables',
  (_what, document) => {
    test('over HTTP', async () => {
      const ask = asker(url, secret)
      const variables = countVariables()
      for (let nth = 0; nth < calls; nth++) await ask(document(documentsMade++), { v: { nth } })
      expect(variables.read()).toBe(calls)
      expect(await variables.held()).toBeLessThan(maxHeld)
    })

    test('over a socket', async () => {
      const { client } = connect(url, bearer(secret))
      const variables = countVariables()
      for (let nth = 0; nth < calls; nth++)
        await new Promise<void>((resolve) => {
          const payload = { query: document(documentsMade++), variables: { v: { nth } } }
          client.subscribe(payload, { next: () => {}, error: () => resolve(), complete: resolve })
        })
      expect(variables.read()).toBe(calls)
      expect(await variables.held()).toBeLessThan(maxHeld)
    })
  },
)
