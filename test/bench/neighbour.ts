// A project that takes all it can get, for the fairness benchmark: 40 connections that track events with bodies of 1 MB, or
// 20 calls per second for the same few contacts. It says when it has begun, and runs until it is ended.
import autocannon from 'autocannon'

const [, , url = '', authorization = '', kind = 'large'] = process.argv
const large = 1024 * 1024 - 200

function body(n: number): string {
  if (kind === 'stored') return JSON.stringify({ email: `n${n}@example.test`, event: 'seen', data: { text: 'x'.repeat(large) } })
  if (kind === 'large') {
    return JSON.stringify({ email: `n${n}@example.test`, event: 'seen', data: { text: { value: 'x'.repeat(large), persistent: false } } })
  }
  return JSON.stringify({ email: `n${n % 5}@example.test`, event: 'seen', data: { orders: n } })
}

let n = 0
const bodies = Array.from({ length: 20 }, (_, at) => body(at))
const rate = kind === 'locked' ? { overallRate: 20 } : {}
autocannon({
  url,
  connections: 40,
  duration: 3_600,
  timeout: 60,
  ...rate,
  requests: [
    {
      method: 'POST',
      path: '/v1/track',
      headers: { authorization, 'content-type': 'application/json' },
      setupRequest: (one) => ({ ...one, body: kind === 'locked' ? body(n++) : bodies[n++ % bodies.length] }),
    },
  ],
}).then(
  () => process.exit(0),
  () => process.exit(1),
)
process.send?.('ready')
