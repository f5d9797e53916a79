// Measures POST /v1/send: contact, content, email and job are durable before the answer.
import { measureEndpoint } from './endpoint.ts'
import { record } from './results.ts'

const how =
  'One recipient, a body of 6 KB, over 20 and 100 connections and 20,000 contacts. The yardstick is bare `node:http` with one prepared `pg` statement per request that writes the same contact, content, email and pg-boss job, without keys, checks or templates. Emails are not delivered.'
const { figures, postgres } = await measureEndpoint('send', { ratio: 0.9, p50: 5, p99: 25 })
await record('send', 'POST /v1/send', how, figures, postgres)
