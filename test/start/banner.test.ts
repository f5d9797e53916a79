import { parse, validate } from 'graphql'
import { expect, test } from 'vitest'
import { readConfig } from '../../src/kit/config.ts'
import { hasDashboard } from '../../src/kit/dashboard.ts'
import { schema } from '../../src/server/graphql/schema.ts'
import { banner, greet, subscription } from '../../src/start/banner.ts'
import type { DemoFile } from '../../src/start/demo/demo.ts'
import { testWorld } from '../help/world.ts'

const shown = await testWorld()
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

test.each([
  [{}, 'start: PUBLIC_URL is not set, so that links in emails lead to this machine only: set it to the address that people open'],
  [
    { PUBLIC_URL: 'http://mail.example.com' },
    'start: PUBLIC_URL begins with http, so that passwords, session cookies and keys can be read on their way: use https',
  ],
  [{ PUBLIC_URL: 'https://mail.example.com' }, undefined],
  [
    { PUBLIC_URL: 'https://mail.example.com', EMAIL_TRANSPORT: 'capture', ALLOW_CAPTURE: 'true' },
    'start: everybody who reaches this server reads all captured email at /mailbox, links to new passwords included: let only yourself reach it, or send email (EMAIL_TRANSPORT)',
  ],
  [{ NODE_ENV: 'development', PUBLIC_URL: 'http://mail.example.com' }, undefined],
  [{ NODE_ENV: 'development' }, undefined],
])(
  'a start in production warns of an address that others cannot use, or not safely, and of a mailbox that all can read: %j',
  (given, warning) => {
    const production = { NODE_ENV: 'production', APP_SECRET: 'x'.repeat(32), EMAIL_TRANSPORT: 'smtp://127.0.0.1:25' }
    const warnings: string[] = []
    const config = readConfig({ ...production, ...given })
    const warn = (sentence: string) => warnings.push(sentence)
    // A worker has no address of its own, and its emails have links.
    greet({ ...shown, config, log: Object.assign(Object.create(shown.log), { warn }) }, undefined, null)
    expect(warnings).toEqual(warning === undefined ? [] : [warning])
  },
)
