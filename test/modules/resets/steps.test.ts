import { expect, test } from 'vitest'
import { sources } from '../../help/sources.ts'

/** Tables of projects no erase-all.ts names, and what becomes of their rows. */
const otherwise: Record<string, string> = {
  email_attachments: 'go with their content',
  rate_windows: 'end by themselves after minutes',
  project_keys: 'go when the project is hidden',
  memberships: 'go when the project is hidden',
  invitations: 'go when the project is hidden',
  resets: 'go with the project, in the last transaction',
}

const tables = sources('prisma/schema', /\.prisma$/).flatMap(({ text }) =>
  [...text.matchAll(/^model \w+ \{(.*?)^\}/gms)].flatMap(([, body = '']) =>
    /@map\("project_id"\)/.test(body) ? [/@@map\("(\w+)"\)/.exec(body)?.[1] ?? ''] : [],
  ),
)
const erasers = sources('src/modules', /\/erase-all\.ts$/)
const named = new Set(
  erasers.flatMap(({ text }) =>
    [...text.matchAll(/delete from (\w+)|eraser\('(\w+)'/g)].map(([, deleted, erased]) => deleted ?? erased ?? ''),
  ),
)
const steps = sources('src/modules/resets', /\/steps\.ts$/)[0]?.text ?? ''

test('every table of projects is emptied by a deletion (name it in the erase-all.ts of its module, and that in resets/steps.ts)', () => {
  expect(tables.length).toBeGreaterThan(25)
  expect(tables.filter((table) => !named.has(table) && !(table in otherwise))).toEqual([])
  expect(Object.keys(otherwise).filter((table) => named.has(table) || !tables.includes(table))).toEqual([])
})

test('every erasing operation is a step', () => {
  const operations = erasers.flatMap(({ text }) =>
    [...text.matchAll(/^export (?:async function|const) (\w+)/gm)].map(([, name = '']) => name),
  )
  expect(operations.length).toBeGreaterThan(10)
  expect(operations.filter((name) => !new RegExp(`\\b${name}\\b[^']*$`).test(steps))).toEqual([])
})
