import { describe, expect, test } from 'vitest'
import type { Handover } from '../../../src/kit/mailer.ts'
import { accepted, breakerTest, minute, refused, relay, start, turnedAway } from '../../help/breaker.ts'

const refusedOnes = ['prj_a', 'prj_b', 'prj_c', 'prj_d']
const after = 6 * minute

/** A breaker that has paused all sending, because the emails of four projects were refused, and those of three others that were tried. */
function paused() {
  const made = breakerTest()
  const before = -15_000
  made.record(accepted, { projectId: 'prj_good', at: before })
  for (const projectId of refusedOnes) made.times(3, relay, { projectId, at: before })
  /** Tries an email, if it may be tried, with an answer: whether its ending is final; null when it has to wait. */
  const tried = (projectId: string, handover: Handover, at = after): boolean | null => {
    const admission = made.admit({ projectId, at })
    if (admission.kind === 'wait') return null
    const isFinal = made.record(handover, { projectId, at })
    admission.end()
    return isFinal
  }
  const wait = (projectId: string, at: number, urgent = false): number | null => {
    const admission = made.admit({ projectId, urgent, at })
    if (admission.kind === 'wait') return admission.until.getTime() - start
    admission.end()
    return null
  }
  for (const projectId of ['prj_t1', 'prj_t2', 'prj_t3']) expect(tried(projectId, relay, 0)).toBe(true)
  expect(made.until({ projectId: 'prj_good' })).toBe(5 * minute)
  made.pauses.splice(0, made.pauses.length - 1)
  return { ...made, tried, wait }
}

test('projects take turns in trials: one whose emails are deferred does not keep the others waiting', () => {
  const { wait, tried } = paused()
  const deferred: Handover = { kind: 'deferred', response: '450 later' }
  // Both are expected; one of them has many emails.
  expect(wait('prj_good', minute)).toBe(5 * minute)
  expect(wait('prj_new', minute)).toBe(5 * minute)
  expect(tried('prj_good', deferred)).toBe(true)
  const soon = after + 20_000
  expect(wait('prj_good', soon - 1_000)).toBeNull()
  expect(tried('prj_new', accepted, soon)).toBe(true)
})

describe('after a pause of all sending is tried first', () => {
  test('a project that is not refused itself, as long as one is expected', () => {
    const { wait } = paused()
    expect(wait('prj_new', minute)).toBe(5 * minute)
    expect(wait('prj_a', after - minute)).toBe(after - minute + 10_000)
    expect(wait('prj_new', after - minute)).toBeNull()
    expect(wait('prj_a', after - minute + 10_000)).toBeNull()
  })

  test('a refused one, where no other waits', () => {
    const { wait } = paused()
    expect(wait('prj_a', after)).toBeNull()
  })

  test('of those that are not refused, one whose last email was accepted', () => {
    const { wait } = paused()
    wait('prj_new', minute)
    wait('prj_good', minute)
    expect(wait('prj_new', 5 * minute)).toBe(5 * minute + 10_000)
    expect(wait('prj_good', 5 * minute)).toBeNull()
  })

  test('an email that a person waits for, before others of as good a project; bulk of a good project before those of a refused one', () => {
    const { wait } = paused()
    for (const [projectId, urgent] of [
      ['prj_a', true],
      ['prj_x', false],
      ['prj_y', true],
    ] as const)
      wait(projectId, minute, urgent)
    expect(wait('prj_x', 5 * minute)).toBe(5 * minute + 10_000)
    expect(wait('prj_a', 5 * minute, true)).toBe(5 * minute + 10_000)
    expect(wait('prj_y', 5 * minute, true)).toBeNull()
    expect(wait('prj_a', 5 * minute + 15_000, true)).toBe(5 * minute + 25_000)
    expect(wait('prj_x', 5 * minute + 15_000)).toBeNull()
  })
})

describe('a refused trial', () => {
  test('is final for its email, and its project waits for five minutes; the next project is tried', () => {
    const { tried, wait, until, pauses } = paused()
    expect(tried('prj_a', relay)).toBe(true)
    expect(wait('prj_a', after)).toBe(after + 5 * minute)
    expect([until({ projectId: 'prj_good', at: after }), pauses.length]).toEqual([null, 1])
    expect(tried('prj_good', accepted)).toBe(true)
    expect(wait('prj_a', after)).toBeNull()
  })

  test.each([
    ['with the same words', relay, relay],
    ['with other words', refused('554 5.7.1 spam'), refused('550 5.7.26 not authenticated')],
  ])('of three projects pauses all sending again: %s', (_what, first, other) => {
    const { tried, until, pauses } = paused()
    expect([tried('prj_a', first), tried('prj_b', other), until({ projectId: 'prj_x', at: after })]).toEqual([true, true, null])
    expect(tried('prj_c', first)).toBe(true)
    expect([until({ projectId: 'prj_x', at: after }), pauses.length]).toEqual([after + 5 * minute, 2])
  })

  test('of the same two projects again and again does not', () => {
    const { tried, until } = paused()
    for (const at of [0, 5, 15, 35, 75, 135].map((minutes) => after + minutes * minute))
      expect([tried('prj_a', relay, at), tried('prj_a', relay, at), tried('prj_b', relay, at)]).toEqual([true, null, true])
    expect(until({ projectId: 'prj_x', at: after + 136 * minute })).toBeNull()
  })

  test('makes its project wait longer each time, up to an hour, until an email is accepted', () => {
    const { tried, wait, times } = paused()
    let at = after
    for (const minutes of [5, 10, 20, 40, 60, 60]) {
      if (at > after) expect(tried('prj_new', relay, at - 1)).toBeNull()
      expect([tried('prj_new', relay, at), wait('prj_new', at)]).toEqual([true, at + minutes * minute])
      at += minutes * minute
    }
    const later = after + 200 * minute
    expect(tried('prj_good', accepted, later)).toBe(true)
    for (const projectId of ['prj_x', 'prj_y', 'prj_z']) times(4, relay, { projectId, at: later })
    expect(tried('prj_new', relay, later + 15_000)).toBe(true)
    expect([wait('prj_new', later + 18_000), wait('prj_new', later + 10 * minute)]).toEqual([later + 5 * minute + 15_000, null])
  })

  test('at login makes its project wait no longer than the others', () => {
    const { tried, wait } = paused()
    for (let at = after; at < after + 30 * minute; at += 5 * minute) tried('prj_a', turnedAway('535 5.7.8 bad password', 'auth'), at)
    expect(wait('prj_a', after + 30 * minute)).toBeNull()
  })

  test('at connect or login pauses all sending at once, because that is about nobody in particular', () => {
    const { tried, until } = paused()
    tried('prj_good', turnedAway('535 5.7.8 bad password', 'auth'))
    expect(until({ projectId: 'prj_x', at: after })).toBe(after + 5 * minute)
  })

  test('because there is no such address counts for nobody', () => {
    const { tried, until } = paused()
    const unknown: Handover = { ...refused('550 5.1.1 User unknown'), kind: 'refused', recipient: true }
    for (const projectId of ['prj_x', 'prj_y', 'prj_z', 'prj_x']) expect(tried(projectId, unknown)).toBe(true)
    expect(until({ projectId: 'prj_x', at: after })).toBeNull()
  })
})

test.each([1, 2, 3, 4])(
  'a server that refuses everything costs each of %i projects four emails in the first hour, and one in each that follows',
  (count) => {
    const { tried } = paused()
    const failed = new Map<string, number[]>()
    for (let at = 0; at < 5 * 60 * minute; at += 10_000)
      for (let n = 0; n < count; n++) {
        const projectId = `prj_new${n}`
        if (tried(projectId, relay, after + at)) failed.set(projectId, [...(failed.get(projectId) ?? []), Math.floor(at / (60 * minute))])
      }
    for (const hours of failed.values()) {
      const perHour = [0, 1, 2, 3, 4].map((hour) => hours.filter((one) => one === hour).length)
      expect([perHour[0], Math.max(...perHour.slice(1))]).toEqual([4, 1])
    }
    expect(failed.size).toBe(count)
  },
)

describe('a project with one email', () => {
  test.each([
    ['refused', relay],
    ['deferred', { kind: 'deferred', response: '450 later' } as const],
  ])(
    'is tried within as many turns as projects wait, however many emails the others have, and although theirs are %s',
    (_how, handover) => {
      const { admit, record, wait } = paused()
      const others = Array.from({ length: 30 }, (_, n) => `prj_other${n}`)
      let turns = 0
      let busyUntil = 0
      let end = (): void => undefined
      // The others have an email that asks every second; that of the victim asks when it was told to, and a little late.
      let asksAt = (wait('prj_victim', minute) ?? 0) + 2_000
      for (let at = 5 * minute; asksAt > 0 && turns < 100; at += 1_000) {
        if (at >= busyUntil) end()
        for (const projectId of at >= asksAt ? [...others, 'prj_victim'] : others) {
          const admission = admit({ projectId, at })
          if (projectId === 'prj_victim') asksAt = admission.kind === 'wait' ? admission.until.getTime() - start + 2_000 : 0
          if (admission.kind === 'wait') continue
          turns++
          record(handover, { projectId, at })
          busyUntil = at + 3_000
          end = admission.end
        }
      }
      expect(turns).toBeLessThanOrEqual(others.length + 1)
    },
  )

  test('is tried before those that were tried in an earlier pause', () => {
    const { wait, tried, until } = paused()
    const deferred: Handover = { kind: 'deferred', response: '450 later' }
    expect(tried('prj_new1', deferred)).toBe(true)
    for (const [n, projectId] of ['prj_x', 'prj_y', 'prj_z'].entries()) expect(tried(projectId, relay, after + n)).toBe(true)
    const at = after + 5 * minute + 5_000
    expect(until({ at: at - 6_000 })).not.toBeNull()
    wait('prj_victim', at - 2 * minute)
    expect(wait('prj_new1', at)).toBe(at + 10_000)
    expect(wait('prj_victim', at)).toBeNull()
  })
})

test('a server that refuses everybody costs three emails per pause, whoever sends', () => {
  const { tried } = paused()
  let failed = 0
  for (let at = after; at < after + 60 * minute; at += 10_000) for (let n = 0; n < 20; n++) if (tried(`prj_${n}`, relay, at)) failed++
  expect(failed).toBe(3 * 12)
})

describe('projects whose emails nobody wants', () => {
  test('do not cast doubt on all sending again for an hour after another project was accepted', () => {
    const { tried, until, times, admit } = paused()
    const kinds = (at: number) => ['prj_x', 'prj_y'].map((projectId) => admit({ projectId, at }).kind)
    expect(tried('prj_good', accepted)).toBe(true)
    for (const projectId of refusedOnes) times(30, relay, { projectId, domain: 'other.test', at: after })
    expect(kinds(after)).toEqual(['go', 'go'])
    expect(until({ projectId: 'prj_a', domain: 'other.test', at: after })).toBe(after + 5 * minute)
    const later = after + 61 * minute
    for (const projectId of refusedOnes) times(3, relay, { projectId, domain: 'third.test', at: later })
    expect(kinds(later)).toEqual(['go', 'wait'])
  })

  test('do not make those count for nothing that were only refused at connect or login', () => {
    const { record, until, times, admit } = breakerTest()
    for (const projectId of refusedOnes) times(3, turnedAway('535 5.7.8 bad password', 'auth'), { projectId })
    expect([until(), admit({ at: 5 * minute }).kind]).toEqual([5 * minute, 'go'])
    record(accepted, { at: 5 * minute, projectId: 'prj_good' })
    for (const projectId of refusedOnes) times(3, relay, { projectId, at: 5 * minute })
    expect(admit({ projectId: 'prj_x', at: 5 * minute }).kind).toBe('wait')
  })
})

describe('while an email is tried and 20,000 others ask', () => {
  /** How many are told to ask again within each 10 seconds. */
  function told(ask: (n: number) => number): number[] {
    const counts: number[] = []
    for (let n = 0; n < 20_000; n++) {
      const slot = Math.floor(ask(n) / 10_000)
      counts[slot] = (counts[slot] ?? 0) + 1
    }
    return counts
  }

  test.each([true, false])(
    'of its domain, a handful are told to ask again soon, and nobody later than in five minutes (urgent: %s)',
    (urgent) => {
      const { times, admit } = breakerTest()
      times(10, relay)
      expect(admit({ at: after }).kind).toBe('go')
      const counts = told(() => {
        const admission = admit({ at: after, urgent })
        return admission.kind === 'wait' ? admission.until.getTime() - start - after : 0
      })
      expect([counts[0], counts.length]).toEqual([undefined, 31])
      expect(Math.max(...counts.slice(1, 30))).toBe(5)
      const other = admit({ at: after, urgent: !urgent })
      expect(other.kind === 'wait' && other.until.getTime() - start - after).toBe(10_000)
    },
  )

  test('of its project, after a pause of all sending, so are they, and another project asks again in 10 seconds', () => {
    const { admit, wait } = paused()
    expect(admit({ projectId: 'prj_good', at: after }).kind).toBe('go')
    const counts = told(() => (wait('prj_a', after) ?? 0) - after)
    expect([Math.max(...counts.slice(1, 30)), counts.length]).toEqual([5, 31])
    expect(wait('prj_victim', after)).toBe(after + 10_000)
  })
})

describe('that all may be sent again is reported', () => {
  test('when the trial of a domain is accepted', () => {
    const { times, record, resumed } = breakerTest()
    times(10, relay)
    record(accepted, { at: after, domain: 'other.test' })
    expect(resumed).toEqual([])
    record(accepted, { at: after })
    expect(resumed).toEqual(['a.test'])
  })

  test('when the trial of a domain is refused with other words', () => {
    const { times, record, resumed } = breakerTest()
    times(10, relay)
    record(refused('554 5.7.1 spam'), { at: after })
    expect(resumed).toEqual(['a.test'])
  })

  test('when an email is accepted after a pause of all sending', () => {
    const { tried, resumed } = paused()
    expect(tried('prj_x', accepted)).toBe(true)
    expect(resumed).toEqual([null])
  })
})
