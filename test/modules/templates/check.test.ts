import { describe, expect, test } from 'vitest'
import { requireLiquid } from '../../../src/modules/templates/check.ts'
import { testWorld } from '../../help/world.ts'

const world = await testWorld()
const at = { world, projectId: 'prj_a' }
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
    const checks = Array.from({ length: 10 }, (_, n) => requireLiquid({ world, projectId: `prj_${n}` }, { body: outputs + n }))
    await Promise.all(checks)
    clearInterval(timer)
    expect(turns).toBeGreaterThan(10)
  })
})
