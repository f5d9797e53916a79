import { cp, mkdir, readFile, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshFolder } from '../help/folder.ts'
import { productionPackages } from '../help/packages.ts'
import { jpeg } from '../help/pictures.ts'
import { freePort } from '../help/ports.ts'
import { freshDataDir } from '../help/processes.ts'
import { eventually, type Program, startProgram } from '../help/program.ts'
import { objectStore } from '../help/s3.ts'
import { callAt } from '../help/server.ts'
import { mailServer } from '../help/smtp.ts'
import { root } from '../help/sources.ts'

// What the Docker image contains: the program, src/generated, and the packages that are not for development.
const tree = await freshFolder()
const dataDir = await freshDataDir()
const store = await objectStore()
const mail = await mailServer()
const port = await freePort()
const url = `http://127.0.0.1:${port}`
const loadedTo = join(tree, 'loaded.json')
let program: Program | undefined

beforeAll(async () => {
  for (const path of ['package.json', 'prisma', 'src']) await cp(join(root, path), join(tree, path), { recursive: true })
  // Linked, and resolved relative to the link, so that packages which are not linked cannot be found.
  for (const [folder] of productionPackages.filter(([path]) => path.lastIndexOf('node_modules/') === 0)) {
    await mkdir(dirname(join(tree, folder)), { recursive: true })
    await symlink(join(root, folder), join(tree, folder))
  }
  const options = ['--preserve-symlinks', '--preserve-symlinks-main', '--import', join(root, 'test/help/loaded.ts'), 'src/start/launch.js']
  program = startProgram(process.execPath, options, {
    cwd: tree,
    env: { ...store.env, EMAIL_TRANSPORT: mail.url, DATA_DIR: dataDir, PORT: String(port), LOADED_TO: loadedTo },
  })
  await program.logs(/"msg":"started"/)
})

afterAll(async () => {
  program?.kill('SIGTERM')
  expect(await program?.ended).toBe(0)
})

async function loadedPackages(): Promise<Set<string>> {
  program?.kill('SIGUSR2')
  const text = await eventually(() => readFile(loadedTo, 'utf8').catch(() => undefined))
  const named = (JSON.parse(text) as string[]).map((address) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(address)?.[1] ?? '')
  return new Set(named)
}

test('packages that most installations never use are not loaded at start: Stripe, S3, OAuth, lists of domains', async () => {
  const loaded = await loadedPackages()
  expect([...loaded]).toEqual(expect.arrayContaining(['pg', 'zod', 'graphql']))
  const lazy = [
    'stripe',
    '@aws-sdk/client-s3',
    'arctic',
    'mailchecker',
    'email-providers',
    '@zootools/email-spell-checker',
    '@zxcvbn-ts/language-common',
  ]
  expect(lazy.filter((name) => loaded.has(name))).toEqual([])
})

test('people sign up, email is delivered, a picture is stored, GraphQL answers, and pages are served', async () => {
  const { secret, from, projectId } = JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8'))
  const person = { email: 'ada@people.test', password: 'correct horse battery' }
  expect((await callAt(url, 'POST /auth/signup', person)).status).toBe(200)
  const draft = { to: 'ada@people.test', from, subject: 'Hello', body: '<p>Hello Ada</p>' }
  expect((await callAt(url, 'POST /v1/send', draft, { key: secret })).status).toBe(200)
  await eventually(async () => mail.mails.some(({ raw }) => raw.includes('DKIM-Signature') && raw.includes('Hello Ada')))
  await storePicture(secret)
  const asked = await callAt(url, 'POST /graphql', { query: '{ project { id } }' }, { key: secret })
  expect(asked.body.data).toEqual({ project: { id: projectId } })
  for (const path of ['/docs', '/docs/reference.js', '/openapi.json', '/readyz', '/metrics'])
    expect((await callAt(url, `GET ${path}`)).status, path).toBe(200)
  const graphiql = await callAt(url, 'GET /graphql', undefined, { headers: { accept: 'text/html' } })
  expect(graphiql.body).toContain('Postwire GraphiQL')
})

async function storePicture(key: string): Promise<void> {
  const form = new FormData()
  form.append('file', new Blob([jpeg], { type: 'image/jpeg' }), 'ada.jpg')
  const response = await fetch(`${url}/uploads/image`, { method: 'POST', headers: { authorization: `Bearer ${key}` }, body: form })
  expect(response.status).toBe(201)
  expect(store.objects.size).toBe(1)
}
