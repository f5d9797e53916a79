import { describe, expect, test } from 'vitest'
import { accepted, breakerTest, minute, refused, relay, start } from '../../help/breaker.ts'

const senders = ['prj_a', 'prj_b', 'prj_c']

/** A breaker after four equal refusals for each of three accounts: the tenth casts doubt on all sending. */
function doubted() {
  const made = breakerTest()
  made.record(accepted, { projectId: 'prj_good' })
  for (const projectId of senders) made.times(3, relay, { projectId })
  expect(made.record(relay, { projectId: 'prj_c' })).toBe(false)
  const kind = (projectId: string, at = 0) => made.admit({ projectId, at }).kind
  /** Tries an email, if it may be tried. */
  const tried = (projectId: string, handover = relay, account = projectId): string => {
    const admission = made.admit({ projectId, at: 20_000 })
    made.record(handover, { projectId, account, at: 20_000 })
    if (admission.kind === 'go') admission.end()
    return admission.kind
  }
  return { ...made, kind, tried }
}

describe('ten equal refusals from three accounts', () => {
  test('pause the senders that were refused, and nobody else', () => {
    const { breaker, pauses, until } = doubted()
    expect(senders.map((projectId) => until({ projectId }))).toEqual(senders.map(() => 5 * minute))
    expect(pauses.map(({ sender }) => sender)).toEqual(senders.map((projectId) => ({ projectId, domain: 'a.test' })))
    expect([until({ projectId: 'prj_x' }), until({ domain: 'b.test' })]).toEqual([null, null])
    expect(breaker.paused(new Date(start))).toEqual({ domains: 3, transport: false })
  })

  test('let one email of the others be tried at a time, first of those whose last email was accepted', () => {
    const { kind } = doubted()
    expect(['prj_new', 'prj_good', 'prj_good', 'prj_new'].map((projectId) => kind(projectId))).toEqual(['wait', 'go', 'wait', 'wait'])
  })

  test('let any other be tried where no email was accepted lately, or none of those is sent', () => {
    const { record, times, admit } = breakerTest()
    record(accepted, { projectId: 'prj_good' })
    for (const projectId of senders) times(4, relay, { projectId, at: 20 * minute })
    expect([admit({ projectId: 'prj_new', at: 20 * minute }).kind, doubted().kind('prj_new', 11_000)]).toEqual(['go', 'go'])
  })

  test('hold up nobody but those that were refused when the one that is tried is accepted, for an hour', () => {
    const { kind, tried, until, times, resumed } = doubted()
    expect([kind('prj_new'), tried('prj_good', accepted), kind('prj_new'), kind('prj_other')]).toEqual(['wait', 'go', 'go', 'go'])
    expect(resumed).toEqual([null])
    expect(until({ projectId: 'prj_a' })).toBe(5 * minute)
    for (const projectId of senders) times(4, relay, { projectId, domain: 'b.test', at: minute })
    expect([kind('prj_new', minute), kind('prj_other', minute)]).toEqual(['go', 'go'])
  })

  test('pause all sending when the emails of three other accounts are refused that are tried', () => {
    const { tried, until, breaker } = doubted()
    expect([tried('prj_x'), tried('prj_y'), until({ projectId: 'prj_good', at: 20_000 })]).toEqual(['go', 'go', null])
    expect([tried('prj_z'), until({ projectId: 'prj_good', at: 20_000 })]).toEqual(['go', 20_000 + 5 * minute])
    expect(breaker.paused(new Date(start + 20_000)).transport).toBe(true)
  })

  test('do not when these are of one account, nor for emails that were under way', () => {
    const { tried, record, until } = doubted()
    for (const projectId of ['prj_x', 'prj_y', 'prj_z']) expect(tried(projectId, relay, 'usr_mallory')).toBe('go')
    for (const projectId of ['prj_u', 'prj_v', 'prj_w']) expect(record(relay, { projectId, at: 20_000 })).toBe(true)
    for (const projectId of senders) expect(record(relay, { projectId, at: 20_000 })).toBe(false)
    expect(until({ projectId: 'prj_good', at: 20_000 })).toBeNull()
  })
})

describe('nobody else waits for refusals', () => {
  const goes = ({ admit }: ReturnType<typeof breakerTest>) => [admit({ projectId: 'prj_x' }).kind, admit({ projectId: 'prj_y' }).kind]

  test('of the projects of one account', () => {
    const made = breakerTest()
    for (const projectId of [...senders, 'prj_d', 'prj_e']) made.times(9, relay, { projectId, account: 'usr_mallory' })
    expect(goes(made)).toEqual(['go', 'go'])
  })

  test('of recipients of one domain, whoever they are of', () => {
    const made = breakerTest()
    for (const projectId of senders) made.times(9, relay, { projectId, to: 'bad.test' })
    expect(goes(made)).toEqual(['go', 'go'])
  })

  test('but of the content they do, because that is about the sender', () => {
    const made = breakerTest()
    for (const projectId of senders) made.times(4, refused('554 5.7.1 blocked', 'content'), { projectId, to: 'good.test' })
    expect(goes(made)).toEqual(['go', 'wait'])
  })
})
