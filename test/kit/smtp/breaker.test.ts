import { describe, expect, test } from 'vitest'
import type { Handover } from '../../../src/kit/mailer.ts'
import type { Admission } from '../../../src/kit/smtp/breaker.ts'
import { type Phase, parseAnswer } from '../../../src/kit/smtp/refusals.ts'
import { accepted, minute, refused, relay, breakerTest as setUp, start, turnedAway } from '../../help/breaker.ts'

describe('ten equal refusals in a row for different addresses', () => {
  test('pause the sender domain for five minutes; the tenth email stays queued', () => {
    const { breaker, pauses, times, until } = setUp()
    expect(times(10, relay)).toEqual([...new Array(9).fill(true), false])
    expect([until(), until({ at: 5 * minute - 1 }), until({ at: 5 * minute })]).toEqual([5 * minute, 5 * minute, null])
    expect(pauses).toEqual([
      { sender: { projectId: 'prj_a', domain: 'a.test' }, answer: '550 relay not permitted', until: new Date(start + 5 * minute) },
    ])
    expect(breaker.paused(new Date(start))).toEqual({ domains: 1, transport: false })
    expect(breaker.paused(new Date(start + 5 * minute))).toEqual({ domains: 0, transport: false })
  })

  test('are equal whatever address, host or number they name', () => {
    const { times, record, until } = setUp()
    times(5, refused('554 5.7.1 <ada@example.com>: Relay access denied (id 4F2A)'))
    times(4, refused('554 5.7.1 <bob@example.org>: Relay access denied (id 77B1)'))
    expect(until()).toBeNull()
    expect(record(refused('554 5.7.1 <eve@example.net>: Relay access denied (id 9)'))).toBe(false)
  })

  test('concern neither other domains nor other projects', () => {
    const { times, until, record } = setUp()
    times(10, relay)
    expect([until({ domain: 'b.test' }), until({ projectId: 'prj_b' })]).toEqual([null, null])
    expect(record(relay, { domain: 'b.test' })).toBe(true)
  })

  test('of the same address do not count twice', () => {
    const { times, until } = setUp()
    times(30, relay, { address: 'ada@example.com' })
    times(8, relay)
    expect(until()).toBeNull()
  })

  test('include those that say that there is no such address, for addresses of three domains', () => {
    const { times, record } = setUp()
    const unknown: Handover = { ...refused('550 5.1.1 User unknown'), kind: 'refused', recipient: true }
    expect(times(30, unknown).includes(false)).toBe(false)
    expect(record(unknown, { address: 'ada@example.org' })).toBe(true)
    expect(record(unknown, { address: 'ada@example.net' })).toBe(false)
  })
})

test('refusals that say that there is no such address never pause all sending', () => {
  const { record, breaker } = setUp()
  const unknown: Handover = { ...refused('550 5.1.1 User unknown'), kind: 'refused', recipient: true }
  for (let n = 0; n < 60; n++)
    record(unknown, { projectId: `prj_${n % 3}`, domain: `d${n % 3}.test`, address: `a${n}@example${n % 5}.com` })
  expect(breaker.paused(new Date(0)).transport).toBe(false)
})

describe('a row is broken', () => {
  test.each([
    ['by an acceptance', accepted],
    ['by another refusal', refused('550 5.7.1 spam')],
  ])('%s', (_by, handover) => {
    const { times, record, until } = setUp()
    times(9, relay)
    record(handover)
    expect([times(9, relay).includes(false), until()]).toEqual([false, null])
    expect(record(relay)).toBe(false)
  })

  test('not by a temporary failure, nor by a message that is too large', () => {
    const { times, record } = setUp()
    times(9, relay)
    expect(record({ kind: 'deferred', response: '450 later', answer: parseAnswer('rcpt', '450 later') })).toBe(true)
    expect(record({ kind: 'deferred', response: 'The connection to the mail server was lost' })).toBe(true)
    expect(times(20, refused('552 5.3.4 too large', 'mail')).includes(false)).toBe(false)
    expect(record(relay)).toBe(false)
  })
})

describe('in a pause', () => {
  test('no email fails, whatever it is refused for; the pause is reported once', () => {
    const { times, record, pauses } = setUp()
    times(10, relay)
    expect(times(20, relay, { at: minute }).includes(true)).toBe(false)
    expect(record(refused('550 5.7.1 spam'), { at: minute })).toBe(false)
    expect(record({ kind: 'refused', response: 'too large', recipient: false }, { at: minute })).toBe(false)
    expect(pauses).toHaveLength(1)
  })

  test('an acceptance ends it', () => {
    const { times, record, until } = setUp()
    times(10, relay)
    record(accepted, { at: minute })
    expect(until({ at: minute })).toBeNull()
    expect(times(9, relay, { at: minute }).includes(false)).toBe(false)
  })
})

describe('after a pause', () => {
  test('one more equal refusal begins the next, which is twice as long, up to an hour, and reported as well', () => {
    const { times, record, until, pauses } = setUp()
    times(10, relay)
    const ends = [16, 36, 76, 136, 196].map((end) => end * minute)
    for (const [n, at] of [6, 16, 36, 76, 136].entries()) {
      expect(record(relay, { at: at * minute })).toBe(false)
      expect([until({ at: at * minute }), pauses.length]).toEqual([ends[n], n + 2])
    }
    record(accepted, { at: 196 * minute })
    times(10, relay, { at: 200 * minute })
    expect(until({ at: 200 * minute })).toBe(205 * minute)
  })

  test('an urgent email is tried first, where one waits', () => {
    const { times, admit } = setUp()
    times(10, relay)
    expect([admit({ at: minute }).kind, admit({ at: minute, urgent: true }).kind]).toEqual(['wait', 'wait'])
    const at = 5 * minute
    expect(admit({ at })).toEqual({ kind: 'wait', until: new Date(start + at + 10_000), scope: 'domain' })
    const trial = admit({ at: at + 1_000, urgent: true })
    expect(trial.kind).toBe('go')
    if (trial.kind === 'go') trial.end()
    expect(admit({ at: at + 10_000 }).kind).toBe('go')
  })

  test('a refused trial is final for its email, so that it is not tried after each pause while the others wait', () => {
    const { record, times, until, admit } = setUp()
    times(10, relay)
    const trial = admit({ at: 6 * minute })
    expect(trial.kind).toBe('go')
    expect(record(relay, { at: 6 * minute })).toBe(true)
    if (trial.kind === 'go') trial.end()
    expect(until({ at: 6 * minute })).toBe(16 * minute)
    expect(record(accepted, { at: 12 * minute })).toBe(true)
    expect(until({ at: 12 * minute })).toBeNull()
  })

  test('one email is tried at a time, until one is accepted; then all may be sent', () => {
    const { times, record, admit } = setUp()
    const at = 6 * minute
    times(10, relay)
    expect(admit({ at: minute })).toEqual({ kind: 'wait', until: new Date(start + 5 * minute), scope: 'domain' })
    const first = admit({ at })
    expect(admit({ at })).toEqual({ kind: 'wait', until: new Date(start + at + 10_000), scope: 'domain' })
    expect(admit({ at, domain: 'b.test' }).kind).toBe('go')
    if (first.kind === 'go') first.end()
    const second = admit({ at })
    expect([second.kind, admit({ at }).kind]).toEqual(['go', 'wait'])
    record(accepted, { at })
    expect([admit({ at }).kind, admit({ at }).kind]).toEqual(['go', 'go'])
  })

  test('of all sending, one email of all projects is tried at a time', () => {
    const { times, admit } = setUp()
    for (const projectId of ['prj_a', 'prj_b', 'prj_c']) times(4, relay, { projectId })
    const at = 15_000
    expect([admit({ at, projectId: 'prj_d' }).kind, admit({ at, projectId: 'prj_e' }).kind]).toEqual(['go', 'wait'])
  })

  test('another refusal fails its email and begins a new row', () => {
    const { times, record } = setUp()
    times(10, relay)
    expect(record(refused('550 5.7.1 spam'), { at: 6 * minute })).toBe(true)
    expect(record(relay, { at: 6 * minute })).toBe(true)
  })
})

describe('an email that was admitted', () => {
  const holds = (admission: Admission, at: number): boolean => admission.kind === 'go' && admission.holds(new Date(start + at))

  test('has to ask again when a pause of its domain or of all sending has begun meanwhile, and when that is over', () => {
    const { times, admit } = setUp()
    const [own, other] = [admit(), admit({ domain: 'b.test' })]
    expect([holds(own, 0), holds(other, 0)]).toEqual([true, true])
    times(10, relay)
    expect([holds(own, 0), holds(other, 0), holds(own, 6 * minute), holds(other, 6 * minute)]).toEqual([false, true, false, true])
    for (const projectId of ['prj_b', 'prj_c']) times(5, relay, { projectId })
    expect([holds(other, 0), holds(other, 15_000)]).toEqual([false, false])
  })

  test('as a trial need not, unless the next pause has begun', () => {
    const { times, admit, record } = setUp()
    times(10, relay)
    const trial = admit({ at: 6 * minute })
    expect([holds(trial, 6 * minute), admit({ at: 6 * minute }).kind]).toEqual([true, 'wait'])
    record(relay, { at: 6 * minute })
    expect(holds(trial, 6 * minute)).toBe(false)
  })

  test('gives its trial back once: ending it again does not end that of the next', () => {
    const { times, admit } = setUp()
    times(10, relay)
    const first = admit({ at: 6 * minute })
    if (first.kind === 'go') first.end()
    expect(admit({ at: 6 * minute }).kind).toBe('go')
    if (first.kind === 'go') first.end()
    expect(admit({ at: 6 * minute }).kind).toBe('wait')
  })
})

describe('all sending is paused', () => {
  test('not by two accounts, however many refusals they get', () => {
    const { times, until } = setUp()
    times(50, relay, { projectId: 'prj_a' })
    times(50, relay, { projectId: 'prj_b' })
    expect(until({ projectId: 'prj_c' })).toBeNull()
  })

  test('not if anybody gets an email accepted in between', () => {
    const { times, record, until } = setUp()
    for (const projectId of ['prj_a', 'prj_b', 'prj_c']) times(3, relay, { projectId })
    record(accepted, { projectId: 'prj_d' })
    times(5, relay, { projectId: 'prj_e' })
    expect(until({ projectId: 'prj_d' })).toBeNull()
  })

  test.each<[string, Phase, string]>([
    ['at connect', 'connect', '554 5.7.1 not from here'],
    ['of the login', 'auth', '535 5.7.8 bad password'],
    ['because a login is wanted', 'mail', '530 5.7.0 Authentication required'],
  ])('by ten refusals %s, of one project too', (_what, phase, reply) => {
    const { times, record, until } = setUp()
    times(9, turnedAway(reply, phase))
    expect(until()).toBeNull()
    expect(record(turnedAway(reply, phase))).toBe(true)
    expect(until({ projectId: 'prj_b' })).toBe(5 * minute)
    record(accepted)
    expect(until({ projectId: 'prj_b' })).toBeNull()
  })

  test('not by a server that is busy or cannot be reached', () => {
    const { times, until } = setUp()
    times(50, turnedAway('421 4.7.0 too many connections', 'connect'))
    times(50, { kind: 'deferred', response: 'x', problem: { reason: 'connect ECONNREFUSED', advice: '' } })
    expect(until()).toBeNull()
  })
})

test('the memory of a breaker is bounded: the sender that was refused least recently is forgotten', () => {
  const { times, record } = setUp()
  times(9, relay, { domain: 'first.test' })
  times(9, relay, { domain: 'second.test' })
  for (let n = 0; n < 998; n++) record(relay, { domain: `${n}.test` })
  expect(record(relay, { domain: 'second.test' })).toBe(false)
  for (let n = 998; n < 1_000; n++) record(relay, { domain: `${n}.test` })
  expect(times(9, relay, { domain: 'first.test' }).includes(false)).toBe(false)
})
