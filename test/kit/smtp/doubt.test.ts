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
    const admission = made.admit({ projectId, account, at: 15_000 })
    made.record(handover, { projectId, account, at: 15_000 })
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
    expect([tried('prj_x'), tried('prj_y'), until({ projectId: 'prj_good', at: 15_000 })]).toEqual(['go', 'go', null])
    expect([tried('prj_z'), until({ projectId: 'prj_good', at: 15_000 })]).toEqual(['go', 15_000 + 5 * minute])
    expect(breaker.paused(new Date(start + 15_000)).transport).toBe(true)
  })

  test('do not when these are of one account, nor for emails that were under way', () => {
    const { tried, record, until } = doubted()
    const kinds = ['prj_x', 'prj_y', 'prj_z'].map((projectId) => tried(projectId, relay, 'usr_mallory'))
    expect(kinds).toEqual(['go', 'wait', 'wait'])
    for (const projectId of ['prj_u', 'prj_v', 'prj_w']) expect(record(relay, { projectId, at: 15_000 })).toBe(true)
    for (const projectId of senders) expect(record(relay, { projectId, at: 15_000 })).toBe(false)
    expect(until({ projectId: 'prj_good', at: 15_000 })).toBeNull()
  })
})

describe('accounts whose emails were not accepted a day ago', () => {
  const strangers = Array.from({ length: 30 }, (_, n) => `prj_new${n}`)

  test('cast no doubt on all sending, however many they are', () => {
    const { record, times, admit } = breakerTest()
    for (const projectId of strangers) {
      record(accepted, { projectId, established: false })
      times(5, relay, { projectId, established: false })
    }
    expect(['prj_x', 'prj_y', 'prj_z'].map((projectId) => admit({ projectId }).kind)).toEqual(['go', 'go', 'go'])
  })

  test('are not tried while there is doubt, and pause nobody; after 20 seconds without a trial all go on but those that were refused', () => {
    const again = doubted()
    for (const projectId of strangers) {
      expect(again.admit({ projectId, established: false, urgent: true, at: 19_999 }).kind).toBe('wait')
      again.record(relay, { projectId, established: false, at: 19_999 })
    }
    expect(again.resumed).toEqual([])
    expect([again.kind('prj_new0', 20_000), again.kind('prj_y', 20_000)]).toEqual(['go', 'go'])
    expect([again.resumed, again.until({ projectId: 'prj_a', at: 20_000 })]).toEqual([[null], 5 * minute])
  })

  test('are tried after a pause of all sending behind all others, and do not begin the next one', () => {
    const { tried, admit, record, until } = doubted()
    for (const projectId of ['prj_x', 'prj_y', 'prj_z']) tried(projectId)
    const at = 7 * minute
    admit({ projectId: 'prj_good', at: 5 * minute })
    expect(admit({ projectId: 'prj_new0', established: false, at: 5 * minute }).kind).toBe('wait')
    for (const projectId of strangers.slice(0, 5)) {
      const admission = admit({ projectId, established: false, urgent: true, at })
      expect(admission.kind).toBe('go')
      record(relay, { projectId, established: false, at })
      if (admission.kind === 'go') admission.end()
    }
    expect(until({ projectId: 'prj_good', at })).toBeNull()
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
