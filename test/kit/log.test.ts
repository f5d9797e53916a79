import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

const program = `
import { createLog } from './src/kit/log.ts'
const error = Object.assign(new Error('violates check constraint'), {
  code: '23514', constraint: 'contacts_data_size', detail: 'Failing row contains (ada@example.com, the data)', parameters: ['the data'],
})
createLog('info').error({ err: new Error('not written', { cause: error }), token: 'tok_1', deep: { password: 'pass_1' } }, 'it failed')
`

test('a logged error says what went wrong, without the rows, values and secrets that it carries', () => {
  const { stderr } = spawnSync(process.execPath, ['--input-type=module-typescript', '--eval', program], { encoding: 'utf8' })
  expect(JSON.parse(stderr)).toMatchObject({
    msg: 'it failed',
    err: { message: 'not written', cause: { code: '23514', constraint: 'contacts_data_size' } },
  })
  for (const hidden of ['ada@example.com', 'the data', 'tok_1', 'pass_1']) expect(stderr).not.toContain(hidden)
})
