import { describe, expect, onTestFinished, test } from 'vitest'
import type { Ctx } from '../../../src/kit/context.ts'
import { createTemplate } from '../../../src/modules/templates/templates.ts'
import { bare } from '../../help/live.ts'
import { sendingProject } from '../../help/mails.ts'
import { testServer } from '../../help/server.ts'
import { holdUnreadOf, unreadBytes } from '../../help/unread.ts'
import { until } from '../../help/until.ts'

const { url, world } = await testServer({ running: true })
const megabyte = 1024 * 1024

async function largeTemplate(ctx: Ctx, body = 'x'.repeat(450_000)): Promise<string> {
  const template = { name: 'Large', subject: 'Hi', from: 'hi@demo.test', body }
  return (await createTemplate(ctx, template as Parameters<typeof createTemplate>[1])).id
}

/** A socket of a new project, and how it asks for a body of 450 KB. */
async function reader() {
  const { ctx, secret } = await sendingProject(world)
  const id = await largeTemplate(ctx)
  const { socket, send, closed } = await bare(url, secret)
  const lengths: number[] = []
  socket.on('message', (text) => lengths.push(String(text).length))
  let asked = 0
  const ask = () => send({ id: `q${asked++}`, type: 'subscribe', payload: { query: `{ template(id: "${id}") { body } }` } })
  return { ask, closed, hasRead: () => until(async () => lengths.some((length) => length > 450_000)) }
}

/** Answers and messages to somebody else that are not read: with how much they were cut off. */
function unreadOf(bytes: number, { projectId, address }: { projectId: string; address: string }) {
  const cut: number[] = []
  const held = holdUnreadOf(world, { projectId, address, bytes })
  held.yields(() => cut.push(bytes))
  onTestFinished(held.release)
  return cut
}

describe('a socket whose client reads is sent what it asks for', () => {
  test('while others have 256 MB unread: what has been for 10 s is cut off for it', async () => {
    const one = await reader()
    const cut = [0, 1].map((at) => unreadOf(130 * megabyte, { projectId: `prj_${at}`, address: `192.0.2.${at}` }))
    world.clock.turn(10_001)
    one.ask()
    await one.hasRead()
    expect(cut.flat()).toEqual([130 * megabyte])
  })

  test('while a key at its own address has too much unread: that is cut off for it', async () => {
    const one = await reader()
    const cut = unreadOf(64 * megabyte, { projectId: 'prj_other', address: '127.0.0.1' })
    one.ask()
    await one.hasRead()
    expect(cut).toEqual([64 * megabyte])
  })
})

test('what waits for a socket counts in bytes, and is given back once it was read or the socket has ended', async () => {
  const { ctx, secret } = await sendingProject(world)
  const before = await unreadBytes(world)
  // Three bytes each.
  const id = await largeTemplate(ctx, '漢'.repeat(1_300_000))
  const { socket, send } = await bare(url, secret)
  socket.pause()
  const query = `{ ${Array.from({ length: 3 }, (_, at) => `t${at}: template(id: "${id}") { body }`).join(' ')} }`
  send({ id: 'a', type: 'subscribe', payload: { query } })
  await until(async () => (await unreadBytes(world)) - before > 3 * 3_900_000 - 4 * megabyte)
  socket.terminate()
  await until(async () => (await unreadBytes(world)) === before)
})

test('what is sent in answer to pings of the protocol counts as well', async () => {
  const { secret } = await sendingProject(world)
  const before = await unreadBytes(world)
  const { socket, send } = await bare(url, secret)
  socket.pause()
  // The two ends of a connection may take in many megabytes before anything waits in the process; more than 4 MB there would end it.
  await until(async () => {
    send({ type: 'ping', payload: { text: 'x'.repeat(900_000) } })
    return (await unreadBytes(world)) - before > 900_000
  })
})
