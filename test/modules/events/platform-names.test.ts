import { expect, test } from 'vitest'
import { freeEventName } from '../../../src/modules/events/shapes.ts'
import { sources } from '../../help/sources.ts'

// What writes lines of the platform: names in a statement stand in quotes of SQL, others as the name of a line.
const writers = sources('src/modules', /\.ts$/).filter(({ text }) => /\bappendEvents\(|insert into events\b/.test(text))
const named = writers.flatMap(({ path, text }) =>
  [
    ...text.matchAll(
      path.endsWith('sql.ts') ? /'((?:campaign|contact|email|project|segment|workflow)(?:\.[a-z_]+)+)'/g : /\bname: '([^']+)'/g,
    ),
  ].map(([, name = '']) => ({ path, name })),
)

test('a name that the platform writes into the log is one that callers may not track: see freeEventName in events/shapes.ts', () => {
  expect(named.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['project.changed', 'contact.subscribed', 'workflow.email.scheduled']),
  )
  expect(named.filter(({ name }) => freeEventName.test(name))).toEqual([])
})
