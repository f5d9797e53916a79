import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { startProgram } from '../../help/program.ts'
import { testServer } from '../../help/server.ts'
import { root } from '../../help/sources.ts'
import { freshProject } from '../../help/world.ts'

const { call, world } = await testServer()

async function operate(...words: string[]): Promise<{ code: number | null; out: string; err: string }> {
  const env = { DATABASE_URL: world.databaseUrl, APP_SECRET: randomBytes(32).toString('hex'), LOG_LEVEL: 'error' }
  const program = startProgram(process.execPath, ['src/project.ts', ...words], { cwd: root, env })
  return { code: await program.ended, out: program.stdout().trim(), err: program.stderr().trim() }
}

test('an operator suspends a project of a running installation, sees it, and lifts it again', async () => {
  const { projectId, secret } = await freshProject(world, 'Acme "West"')
  const write = () => call(`PUT /users/@me/projects/${projectId}/billing-limits`, {}, { key: secret })
  expect((await write()).status).toBe(200)
  expect(await operate('suspend', projectId, 'Reported', 'as phishing.')).toMatchObject({
    code: 0,
    out: expect.stringContaining(`${projectId} is suspended`),
  })
  expect((await write()).body.error.code).toBe('PROJECT_DISABLED')
  expect((await operate('list')).out).toMatch(
    new RegExp(`^${projectId}  \\d{4}-\\d\\d-\\d\\dT\\S+Z  MANUAL  "Acme \\\\"West\\\\""  Reported as phishing\\.$`),
  )
  expect((await operate('lift', projectId)).out).toBe(`${projectId} is no longer suspended.`)
  expect((await write()).status).toBe(200)
  expect((await operate('list')).out).toBe('No project is suspended.')
})

test('an operation that fails prints a sentence and exits with code 1', async () => {
  const { projectId } = await freshProject(world)
  expect(await operate('suspend', 'prj_nothing', 'x')).toEqual({ code: 1, out: '', err: 'There is no project with this id.' })
  expect(await operate('suspend', projectId)).toMatchObject({ code: 1, err: expect.stringMatching(/detail must explain the suspension/) })
  expect(await operate('toString')).toMatchObject({ code: 0, out: expect.stringMatching(/^npm run project -- list/) })
})
