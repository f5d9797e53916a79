import { parse, validate } from 'graphql'
import { expect, test } from 'vitest'
import { hasDashboard } from '../../src/kit/dashboard.ts'
import { schema } from '../../src/server/graphql/schema.ts'
import { banner, subscription } from '../../src/start/banner.ts'
import type { DemoFile } from '../../src/start/demo/demo.ts'
import { testWorld } from '../help/world.ts'

const keys = { projectId: 'prj_1', secret: 'sk_1', public: 'pk_1' }
const demo: DemoFile = {
  ...keys,
  url: 'http://127.0.0.1:8080',
  from: 'hello@demo.test',
  email: 'demo@demo.test',
  password: 'secret-word',
  history: 'complete',
  second: keys,
}

test('the subscription in the banner is valid for the schema', () => {
  expect(validate(schema, parse(subscription))).toEqual([])
})

test('the banner begins with the dashboard and the account for it; where the dashboard is off, it is not named', async () => {
  const shown = await testWorld()
  const hidden = await testWorld({ env: { DASHBOARD: 'false' }, databaseUrl: shown.databaseUrl })
  const placesOf = (world: typeof shown) =>
    [...banner(world, demo.url, demo).matchAll(/^ {2}(\w+(?: \w+)?) {2,}(\S+)/gm)].map(([, ...row]) => row)
  expect(hasDashboard(shown)).toBe(true)
  expect(placesOf(shown).slice(0, 2)).toEqual([
    ['Dashboard', 'http://127.0.0.1:8080/app/'],
    ['Account', 'demo@demo.test,'],
  ])
  expect(placesOf(hidden)[0]).toEqual(['Account', 'demo@demo.test,'])
  expect(banner(hidden, demo.url, demo)).not.toContain('/app/')
})
