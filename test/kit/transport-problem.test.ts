import { describe, expect, test } from 'vitest'
import { reasonOf } from '../../src/kit/transport-problem.ts'

describe('the reason of a failed connection', () => {
  test.each([
    [
      '807C31659C7F0000:error:0A00010B:SSL routines:ssl3_get_record:wrong version number:../deps/openssl/openssl/ssl/record/ssl3_record.c:350:\n',
      'TLS could not be begun with the mail server (wrong version number)',
    ],
    [
      'error:0A000438:SSL routines:ssl3_read_bytes:tlsv1 alert internal error:../deps/openssl/ssl/record/rec_layer_s3.c:1605:SSL alert number 80',
      'TLS could not be begun with the mail server (tlsv1 alert internal error)',
    ],
    ['connect ECONNREFUSED 127.0.0.1:25', 'connect ECONNREFUSED 127.0.0.1:25'],
    ['550 5.7.1 error: see\r\n the log', '550 5.7.1 error: see the log'],
  ])('%s', (message, reason) => {
    expect(reasonOf(message)).toBe(reason)
  })

  test('is at most 500 characters', () => {
    expect(reasonOf('x '.repeat(2_000))).toHaveLength(500)
  })
})
