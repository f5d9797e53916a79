import { describe, expect, test } from 'vitest'
import { createShares, type Group, type Priority, slowPerQuick, type User } from '../../../../src/kit/smtp/pool/shares.ts'

const max = 4
const maxSlow = max * slowPerQuick

/** The shares of four connections, some of which are in use, each by another owner unless one is named. */
function used(counts: Partial<Record<Group, number>>, user: Partial<User> = {}) {
  const shares = createShares(max)
  const use = (group: Group, priority: Priority, owner: string): void => {
    shares.add(group, { priority, owner })
    shares.join({ priority, owner })
  }
  for (const [group, count = 0] of Object.entries(counts) as [Group, number][])
    for (let at = 0; at < count; at++) use(group, user.priority ?? 'urgent', user.owner ?? `${group} ${at}`)
  return { ...shares, use }
}

describe('connections for what the server takes quickly', () => {
  test('are as many as there are, whatever takes long', () => {
    const { isOpen } = used({ quick: max - 1, slow: maxSlow })
    expect(isOpen('quick', 'urgent')).toBe(true)
    expect(used({ quick: max }).isOpen('quick', 'urgent')).toBe(false)
  })

  test('are fewer while more take long than are meant for that, as these had to leave their places: never more in all', () => {
    const { isOpen } = used({ quick: max - 1, slow: maxSlow + 1 })
    expect(isOpen('quick', 'urgent')).toBe(false)
    expect(isOpen('quick', 'urgent', { priority: 'urgent', owner: 'quick 0' })).toBe(true)
  })
})

describe('an owner whose share is in use by what nobody waits for', () => {
  test('may use one more connection for what a person waits for, and for nothing else', () => {
    const { hasShare, use } = used({ slow: maxSlow - 1 })
    use('slow', 'bulk', 'own')
    expect((['urgent', 'normal', 'bulk'] as const).map((priority) => hasShare({ priority, owner: 'own' }))).toEqual([true, false, false])
    use('quick', 'urgent', 'own')
    expect(hasShare({ priority: 'urgent', owner: 'own' })).toBe(false)
  })

  test('may not while a person waits for what uses it', () => {
    const { hasShare, use } = used({ slow: maxSlow - 1 })
    use('slow', 'urgent', 'own')
    expect(hasShare({ priority: 'urgent', owner: 'own' })).toBe(false)
    expect(hasShare({ priority: 'urgent', owner: 'other' })).toBe(true)
  })
})
