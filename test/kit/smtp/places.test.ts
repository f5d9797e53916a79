import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { networkOf, siteOf } from '../../../src/kit/networks.ts'
import { createPlaces, type Place, type Places } from '../../../src/kit/smtp/places.ts'

/** Places whose sessions have names, and the names of those that gave way. */
function port(max: number, maxPerNetwork = 5) {
  let now = 1
  const places: Places = createPlaces({ max, maxPerNetwork, unprovenMs: 1_000, provenMs: 10_000, returnMs: 60_000, now: () => now })
  const gaveWay: string[] = []
  return {
    gaveWay,
    turn: (ms: number) => {
      now += ms
    },
    taken: () => places.taken(),
    ask: (address: string, name = address) => places.enter(address, () => void gaveWay.push(name)),
    enter(address: string, name = address): Place {
      const entered = places.enter(address, () => void gaveWay.push(name))
      if (entered.kind !== 'entered') throw new Error(entered.kind)
      return entered.place
    },
  }
}

describe('of one client network', () => {
  test.each([
    ['an IPv4 address', '192.0.2.1', '192.0.2.2'],
    ['an IPv4 address that is mapped into IPv6', '::ffff:192.0.2.1', '192.0.2.2'],
    ['a /64 of IPv6', '2001:db8:0:1::1', '2001:db8:0:2::1'],
  ])('only so many have a place, until one leaves: %s', (_what, address, other) => {
    const { enter, ask } = port(10, 2)
    const first = enter(address)
    enter(address)
    expect(ask(address)).toEqual({ kind: 'crowded' })
    enter(other)
    first.leave()
    first.leave()
    enter(address)
    expect(ask(address)).toEqual({ kind: 'crowded' })
  })

  test('addresses of one /64 count together, and nobody gives way to one too many', () => {
    const { enter, ask, gaveWay } = port(3, 2)
    enter('192.0.2.1')
    enter('2001:db8::1')
    enter('2001:db8::2')
    expect(ask('2001:db8::3')).toEqual({ kind: 'crowded' })
    expect(gaveWay).toEqual([])
  })
})

describe('when all places are taken', () => {
  test('the oldest session of the site with the most gives way', () => {
    const { enter, gaveWay, taken } = port(4)
    enter('192.0.2.1', 'oldest')
    enter('192.0.2.2', 'first of two')
    enter('192.0.2.3', 'alone')
    enter('192.0.2.2', 'second of two')
    enter('192.0.2.4')
    expect(gaveWay).toEqual(['first of two'])
    expect(taken()).toBe(4)
  })

  test('of proven sessions, those of the site with the most, so that no site keeps all places', () => {
    const { enter, ask, gaveWay } = port(6)
    for (let network = 1; network <= 5; network++) enter(`2001:db8:1:${network}::1`, `network ${network}`).prove()
    enter('192.0.2.1').prove()
    expect(ask('192.0.2.2').kind).toBe('entered')
    expect(ask('2001:db8:1:6::1')).toEqual({ kind: 'entered', place: expect.anything() })
    expect(gaveWay).toEqual(['network 1', '192.0.2.2'])
  })

  test('proven sessions of sites that have as few as the newcomer give way to nobody', () => {
    const { enter, ask, gaveWay } = port(2)
    enter('192.0.2.1').prove()
    enter('192.0.2.2').prove()
    expect(ask('192.0.2.3')).toEqual({ kind: 'full' })
    expect(gaveWay).toEqual([])
  })

  test('those proven 10 s ago do, the oldest first, where no other would, also when they prove themselves again and again', () => {
    const { enter, ask, gaveWay, turn } = port(3)
    const places = ['192.0.2.1', '192.0.2.2', '192.0.2.3'].map((address) => enter(address))
    places[0]?.prove()
    places[2]?.prove()
    turn(5_000)
    places[1]?.prove()
    turn(4_999)
    for (const place of places) place.prove()
    expect(ask('192.0.2.4')).toEqual({ kind: 'full' })
    turn(1)
    enter('192.0.2.4').prove()
    enter('192.0.2.5').prove()
    expect(ask('192.0.2.6')).toEqual({ kind: 'full' })
    expect(gaveWay).toEqual(['192.0.2.1', '192.0.2.3'])
  })

  test('those that have finished do at once, until they are proven again', () => {
    const { enter, ask, gaveWay } = port(2)
    const [first, second] = [enter('192.0.2.1'), enter('192.0.2.2')]
    for (const place of [first, second]) place.prove()
    for (const place of [first, second]) place.finish()
    first.prove()
    enter('192.0.2.3').prove()
    expect(gaveWay).toEqual(['192.0.2.2'])
    expect(ask('192.0.2.4')).toEqual({ kind: 'full' })
  })

  test('unproven ones have a second first, while proven ones have had their time', () => {
    const { enter, ask, gaveWay, turn } = port(2)
    enter('192.0.2.1').prove()
    turn(10_000)
    enter('192.0.2.2')
    enter('192.0.2.3').prove()
    expect(gaveWay).toEqual(['192.0.2.1'])
    turn(1_000)
    enter('192.0.2.4').prove()
    expect(gaveWay).toEqual(['192.0.2.1', '192.0.2.2'])
    expect(ask('192.0.2.5')).toEqual({ kind: 'full' })
  })

  test('they give way to no network that has had a session within the last minute', () => {
    const { enter, ask, gaveWay, turn } = port(2)
    const places = [enter('192.0.2.1'), enter('192.0.2.2')]
    for (const place of places) place.prove()
    turn(10_000)
    enter('192.0.2.3').prove()
    expect(ask('192.0.2.1')).toEqual({ kind: 'full' })
    turn(60_000)
    expect(ask('192.0.2.1').kind).toBe('entered')
    expect(gaveWay).toEqual(['192.0.2.1', '192.0.2.2'])
  })

  test('the networks of one site of IPv6 count together', () => {
    const { enter, gaveWay } = port(3)
    enter('192.0.2.1')
    enter('2001:db8:1:1::1', 'one')
    enter('2001:db8:1:2::1', 'two')
    enter('192.0.2.2')
    expect(gaveWay).toEqual(['one'])
  })

  test('of sites with equally many, the oldest session does', () => {
    const { enter, gaveWay } = port(3)
    for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4', '192.0.2.5']) enter(address)
    expect(gaveWay).toEqual(['192.0.2.1', '192.0.2.2'])
  })

  test('a proven session gives way to none of its site, nor to one with as many: unproven ones do, and then the newcomer', () => {
    const { enter, ask, gaveWay, taken } = port(3)
    const proven = [enter('192.0.2.1'), enter('192.0.2.5')]
    for (const place of proven) place.prove()
    const other = enter('192.0.2.2')
    enter('192.0.2.3').prove()
    expect(gaveWay).toEqual(['192.0.2.2'])
    expect(ask('192.0.2.4')).toEqual({ kind: 'full' })
    other.leave()
    expect([ask('192.0.2.4'), taken()]).toEqual([{ kind: 'full' }, 3])
    proven[0]?.leave()
    enter('192.0.2.4')
    expect(gaveWay).toEqual(['192.0.2.2'])
  })
})

test('who opens sessions from 65,536 networks of one site takes the place of nobody else', () => {
  const { enter, ask, gaveWay } = port(500)
  for (let n = 0; n < 2_000; n++) ask(`2001:db8:1:${n.toString(16)}::1`, 'attacker')
  for (let n = 0; n < 200; n++) {
    enter(`192.0.2.${n}`, 'server')
    ask(`2001:db8:1:${(2_000 + n).toString(16)}::1`, 'attacker')
  }
  expect(new Set(gaveWay)).toEqual(new Set(['attacker']))
})

describe('a site with more than an eighth of all places gives way first', () => {
  const many = (place: number) => `2001:db8:1:${place}::1`

  test('to newcomers of many others, whose sessions are not proven yet, though all of its own are', () => {
    const { enter, gaveWay, taken } = port(500)
    for (let n = 0; n < 500; n++) enter(many(Math.floor(n / 5)), 'large').prove()
    for (let n = 0; n < 20; n++) enter(`192.0.2.${n}`)
    expect([gaveWay, taken()]).toEqual([Array(20).fill('large'), 500])
  })

  test('its oldest unproven session, otherwise its oldest proven one, until it has no more than that', () => {
    const { enter, gaveWay } = port(16, 2)
    const own = [1, 2, 3, 4].map((network) => enter(many(network), `large ${network}`))
    for (let n = 0; n < 12; n++) enter(`192.0.2.${n}`)
    for (const at of [0, 1, 3]) own[at]?.prove()
    enter('198.51.100.1')
    enter('198.51.100.2')
    expect(gaveWay).toEqual(['large 3', 'large 1'])
    enter('198.51.100.3')
    expect(gaveWay[2]).toBe('192.0.2.0')
  })

  test('of several such sites the one with the most', () => {
    const { enter, gaveWay } = port(16, 2)
    for (const network of [1, 2, 3]) enter(`2001:db8:2:${network}::1`, 'second').prove()
    for (const network of [1, 2, 3, 4]) enter(many(network), `first ${network}`).prove()
    for (let n = 0; n < 9; n++) enter(`192.0.2.${n}`)
    enter('198.51.100.1')
    enter('198.51.100.2')
    expect(gaveWay).toEqual(['first 1', 'second'])
  })

  test('but proven sessions of it to none of its own', () => {
    const { enter, ask, gaveWay } = port(16, 2)
    const own = [1, 2, 3].map((network) => enter(many(network), `large ${network}`))
    for (const place of own) place.prove()
    for (let n = 0; n < 13; n++) enter(`192.0.2.${n}`)
    expect([ask(many(4)), gaveWay]).toEqual([{ kind: 'full' }, []])
  })

  test('and one with as many as that loses none of its proven sessions to strangers', () => {
    const { enter, gaveWay } = port(500)
    for (let n = 0; n < 62; n++) enter(many(Math.floor(n / 5)), 'provider').prove()
    for (let n = 0; n < 2_000; n++) enter(`203.0.${Math.floor(n / 250)}.${n % 250}`)
    expect(gaveWay).toHaveLength(2_000 - 438)
    expect(gaveWay).not.toContain('provider')
  })
})

const addresses = ['192.0.2.1', '192.0.2.2', '2001:db8:1:1::1', '2001:db8:1:2::1', '2001:db8:1:2::2', '2001:db8:2:1::1']
const steps = fc.array(fc.tuple(fc.constantFrom('enter', 'prove', 'leave'), fc.nat(5)), { maxLength: 60 })

test('whatever happens, it is as a plain list of sessions says', () => {
  fc.assert(
    fc.property(steps, (taken) => {
      const { enter: _, ...places } = port(4, 2)
      let model: Modelled[] = []
      const left = new Set<string>()
      for (const [index, [step, at]] of taken.entries()) {
        const address = addresses[at] as string
        const session = model[at]
        if (step === 'enter') model = entered(places, model, { name: String(index), address, left })
        else if (session && step === 'prove') {
          session.place.prove()
          session.proven = true
        } else if (session) {
          session.place.leave()
          left.add(networkOf(session.address))
          model = model.filter((one) => one !== session)
        }
        expect(places.taken()).toBe(model.length)
      }
    }),
    { numRuns: 2_000 },
  )
})

type Modelled = { name: string; address: string; proven: boolean; hasReturned: boolean; place: Place }

function entered(
  { ask, gaveWay }: Pick<ReturnType<typeof port>, 'ask' | 'gaveWay'>,
  model: Modelled[],
  { name, address, left: gone }: { name: string; address: string; left: Set<string> },
): Modelled[] {
  gaveWay.splice(0)
  const hasReturned = gone.has(networkOf(address))
  const answer = ask(address, name)
  const site = siteOf(address)
  const many = (one: Modelled) => model.filter((other) => siteOf(other.address) === siteOf(one.address)).length
  const weakestOf = (some: Modelled[]) => some.find((one) => many(one) === Math.max(...some.map(many)))
  const large = weakestOf(model.filter((one) => many(one) > 2))
  const ofLarge = model.filter((one) => large && siteOf(one.address) === siteOf(large.address))
  const own = model.filter((one) => siteOf(one.address) === site).length
  const chosen =
    ofLarge.find(({ proven }) => !proven) ??
    large ??
    weakestOf(model.filter((one) => !one.proven && (!hasReturned || one.hasReturned))) ??
    weakestOf(model.filter((one) => many(one) > own + 1))
  const weakest = chosen?.proven && siteOf(chosen.address) === site ? undefined : chosen
  if (model.filter((one) => networkOf(one.address) === networkOf(address)).length === 2) expect(answer).toEqual({ kind: 'crowded' })
  else if (model.length === 4 && !weakest) expect(answer).toEqual({ kind: 'full' })
  else expect(answer.kind).toBe('entered')
  const left = answer.kind === 'entered' && model.length === 4 ? weakest : undefined
  expect(gaveWay).toEqual(left ? [left.name] : [])
  if (left) gone.add(networkOf(left.address))
  const staying = model.filter((one) => one !== left)
  return answer.kind === 'entered' ? [...staying, { name, address, proven: false, hasReturned, place: answer.place }] : staying
}
