import { describe, expect, test } from 'vitest'
import { requireLiquid } from '../../../src/modules/templates/check.ts'
import { testWorld } from '../../help/world.ts'

const world = await testWorld()
const at = { world, projectId: 'prj_a', account: 'usr_a' }
const outputs = '<p>{{ name }}</p>\n'.repeat(5_000)

describe('a template with many tags, which a thread checks', () => {
  test('is accepted, again and again', async () => {
    await requireLiquid(at, { body: outputs })
    await requireLiquid(at, { subject: outputs, body: outputs, text: outputs })
  })

  test('is refused with line and column', async () => {
    await expect(requireLiquid(at, { subject: '{{ a', body: `${outputs}{{ name | nothing }}` })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      errors: [
        { field: 'subject', code: 'invalid_template', message: expect.stringContaining('(line 1, column 1)') },
        {
          field: 'body',
          code: 'invalid_template',
          message: 'is not a valid template: undefined filter: nothing (line 5001, column 1)',
        },
      ],
    })
  })

  test('holds up no timer of this thread', async () => {
    let turns = 0
    const timer = setInterval(() => turns++, 1)
    const checks = Array.from({ length: 10 }, (_, n) =>
      requireLiquid({ world, projectId: `prj_${n}`, account: `usr_${n}` }, { body: outputs + n }),
    )
    await Promise.all(checks)
    clearInterval(timer)
    expect(turns).toBeGreaterThan(10)
  })

  test('takes one turn of its account, however many projects that has', async () => {
    const order: string[] = []
    const check = (account: string, n: number) =>
      requireLiquid({ world, projectId: `prj_${account}_${n}`, account }, { body: `${outputs.repeat(3)}${account}${n}` }).then(() =>
        order.push(account),
      )
    await Promise.all([...[1, 2, 3, 4, 5].map((n) => check('usr_many', n)), check('usr_one', 1)])
    expect(order.indexOf('usr_one')).toBeLessThan(3)
  })
})
