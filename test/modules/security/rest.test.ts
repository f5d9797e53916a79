import { describe, expect, test } from 'vitest'
import { callIn } from '../../../src/kit/context.ts'
import { liftSuspension, suspendProject } from '../../../src/modules/security/suspensions.ts'
import { asker } from '../../help/ask.ts'
import { countWholeReputation, logMails } from '../../help/reputation.ts'
import { testServer } from '../../help/server.ts'
import { freshProject, testWorld } from '../../help/world.ts'

const { call, world, url } = await testServer()
const elsewhere = await testWorld({ databaseUrl: world.databaseUrl })
const rows = (id: string) => [`/users/@me/projects/${id}/security`, `/projects/${id}/security`]

describe('GET …/security', () => {
  test('200 returns the same on both paths, without an envelope', async () => {
    const { ctx, projectId, secret } = await freshProject(world)
    await logMails(ctx, { sent: 400, bounces: 2 })
    await countWholeReputation(world)
    const counts = { total: 400, bounces: 2, complaints: 0, bounceRate: 0.5, complaintRate: 0 }
    for (const row of rows(projectId)) {
      const { status, body } = await call(`GET ${row}`, undefined, { key: secret })
      expect(status).toBe(200)
      expect(body).toEqual({
        status: {
          projectId,
          isHealthy: true,
          shouldDisable: false,
          twentyFourHour: counts,
          sevenDay: counts,
          allTime: counts,
          isNewProject: true,
          violations: [],
          warnings: [],
        },
        levels: { bounce7Day: 'healthy', bounceAllTime: 'healthy', complaint7Day: 'healthy', complaintAllTime: 'healthy' },
        isDisabled: false,
        recentSuspensions: [],
      })
    }
    const shown = await asker(
      url,
      secret,
    )(`{ project { security {
      status { isHealthy allTime { total bounces bounceRate } violations } levels { bounce7Day } isDisabled recentSuspensions { reason }
    } } }`)
    expect(shown).toMatchObject({
      errors: [],
      data: {
        project: { security: { status: { allTime: { total: 400, bounces: 2, bounceRate: 0.5 } }, levels: { bounce7Day: 'HEALTHY' } } },
      },
    })
  })

  test('404 for another project, 401 for the public key', async () => {
    const mine = await freshProject(world)
    const other = await freshProject(world)
    for (const row of rows(other.projectId)) expect((await call(`GET ${row}`, undefined, { key: mine.secret })).status).toBe(404)
    for (const row of rows(mine.projectId)) expect((await call(`GET ${row}`, undefined, { key: mine.public })).status).toBe(401)
  })
})

describe('a suspended project', () => {
  test('allows reads and refuses every write at once, although another process suspended it; lifting ends that', async () => {
    const { projectId, secret, public: publicKey } = await freshProject(world)
    const operator = callIn(elsewhere, { projectId, actor: { kind: 'system' } })
    const track = () => call('POST /v1/track', { email: 'ada@example.com', event: 'x' }, { key: publicKey })
    const change = () => call(`PUT /users/@me/projects/${projectId}/billing-limits`, { campaigns: 5 }, { key: secret })
    expect([(await track()).status, (await change()).status]).toEqual([200, 200])
    await suspendProject(operator, { reason: 'MANUAL', detail: 'Reported by three recipients.' })
    for (const refused of [await track(), await change()])
      expect([refused.status, refused.body.error.code]).toEqual([403, 'PROJECT_DISABLED'])
    const { body } = await call(`GET /projects/${projectId}/security`, undefined, { key: secret })
    expect(body).toMatchObject({
      isDisabled: true,
      recentSuspensions: [{ reason: 'MANUAL', detail: 'Reported by three recipients.', liftedAt: null }],
    })
    await liftSuspension(operator)
    expect([(await track()).status, (await change()).status]).toEqual([200, 200])
  })
})
