import { Writable } from 'node:stream'
import pino from 'pino'
import { expect, test } from 'vitest'
import type { TransportProblem } from '../../../../src/kit/transport-problem.ts'
import { checkTransport, transportOf, transportState } from '../../../../src/modules/emails/delivery/transport.ts'
import { testServer } from '../../../help/server.ts'
import { testWorld } from '../../../help/world.ts'

let problem: TransportProblem | null = null
const response = '250 ok'
const mailServer = {
  send: async () => (problem ? { kind: 'deferred' as const, response: problem.reason, problem } : { kind: 'accepted' as const, response }),
  check: async () => problem,
  async close() {},
}
const world = await testWorld({ mailServer })
const { call } = await testServer({ world })
const parcel = { projectId: 'prj_x', emailId: 'eml_x', subject: 'Hi', from: 'a@demo.test', to: ['b@example.com'], pieces: [] }
const refused = { reason: 'connect ECONNREFUSED 127.0.0.1:25', advice: 'Check host and port in EMAIL_TRANSPORT.' }

const lines: { level: number; msg: string }[] = []
world.log = pino({}, new Writable({ write: (line, _encoding, done) => done(void lines.push(JSON.parse(String(line)))) }))
const send = async () => (await transportOf(world).connect('transactional', 'prj_x')).send(parcel)
const readiness = async () => (await call('GET /readyz')).body
const up = async () => (await world.metrics.registry.getSingleMetricAsString('postwire_mail_transport_up')).split('\n').at(-1)

test('a mail server that cannot be used is logged once, with advice, and shown by /readyz and a metric', async () => {
  expect(await readiness()).toEqual({ status: 'ok', mailTransport: 'unknown' })
  problem = refused
  await checkTransport(world)
  await checkTransport(world)
  await send()
  expect(lines.map(({ level, msg }) => [level, msg])).toEqual([
    [40, `emails: the mail server cannot be used: ${refused.reason}. ${refused.advice} Emails wait until it can be used again.`],
  ])
  expect(transportState(world)).toMatchObject({ state: 'unavailable', problem: refused })
  expect([await readiness(), await up()]).toEqual([{ status: 'ok', mailTransport: 'unavailable' }, 'postwire_mail_transport_up 0'])

  problem = null
  await checkTransport(world)
  expect(lines.slice(1).map(({ level, msg }) => [level, msg])).toEqual([[30, 'emails: the mail server can be used again']])
  expect([await readiness(), await up()]).toEqual([{ status: 'ok', mailTransport: 'ok' }, 'postwire_mail_transport_up 1'])
})

test('one refused connection while others work is not a change of state', async () => {
  lines.length = 0
  await send()
  problem = refused
  await send()
  expect([transportState(world).state, lines]).toEqual(['ok', []])
})
