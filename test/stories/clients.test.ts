import { readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createDomain } from '../../src/modules/domains/domains.ts'
import { freshFolder } from '../help/folder.ts'
import { watching } from '../help/live.ts'
import { startProgram } from '../help/program.ts'
import { proxyTo } from '../help/proxy.ts'
import { programsOf } from '../help/readme.ts'
import { testServer } from '../help/server.ts'
import { root } from '../help/sources.ts'
import { until } from '../help/until.ts'
import { freshProject } from '../help/world.ts'

// The programs of README.md as a reader runs them, each with the real packages in a process of its own.
const programs = programsOf(await readFile(join(root, 'README.md'), 'utf8'))
const { url, world, call } = await testServer({ worker: true, running: true })
const folder = await freshFolder()
await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))

test('are about plain graphql-ws, urql and Apollo Client', () => {
  expect(programs.map(({ about }) => about)).toEqual(['graphql-ws', '@urql/core', '@apollo/client'])
})

test.each(programs)(
  'the program for $about asks, sends, is refused with a code, and misses nothing while its connection is lost',
  async (program) => {
    const { ctx, secret: key, projectId } = await freshProject(world)
    await createDomain(ctx, { domain: 'demo.test' })
    const proxy = await proxyTo(url)
    const file = join(folder, `${program.about.replace(/\W/g, '-')}.mjs`)
    await writeFile(file, program.text.replaceAll('http://localhost:8080', proxy.url.replace(/\/$/, '')))
    const running = startProgram(process.execPath, [file], { cwd: folder, env: { KEY: key } })
    onTestFinished(() => running.kill('SIGKILL'))

    await running.says(/^contacts: \d/m)
    await running.says(/^sent: eml_/m)
    await running.says(/^refused: CONTACT_NOT_FOUND 404 Check/m)
    const send = (to: string) => call('POST /v1/send', { to, from: 'hello@demo.test', subject: 'S', body: '<p>B</p>' }, { key })
    const sent = (email: string) => world.db.prisma.event.count({ where: { projectId, name: 'email.sent', contact: { email } } })
    await until(async () => (await watching(world)) === 1)
    await send('first@example.com')
    await running.says(/^live: EMAIL_SENT first@example.com$/m)

    proxy.cut()
    await send('missed@example.com')
    await until(async () => (await sent('missed@example.com')) === 1)
    proxy.restore()
    await running.says(/^live: EMAIL_SENT missed@example.com$/m)
    await send('last@example.com')
    await running.says(/^live: EMAIL_SENT last@example.com$/m)
    const live = [...running.stdout().matchAll(/^live: EMAIL_SENT (\S+)$/gm)].map(([, email]) => email)
    expect(live.filter((email) => email !== 'ada@example.com')).toEqual(['first@example.com', 'missed@example.com', 'last@example.com'])
    expect(running.stderr()).toBe('')
  },
)
