// POST /v1/send: contact, content, mail and job durable before the answer.
import { measureEntrance } from './entrance.ts'
import { record } from './results.ts'

const how =
  'One recipient, a body of 6 KB, over 20 and 100 connections and 20,000 contacts. The yardstick is bare `node:http` with one prepared `pg` statement a request that writes the same contact, content, mail and pg-boss job, without keys, checks or templates. Delivery runs elsewhere.'
const { figures, postgres } = await measureEntrance('send', { ratio: 0.9, p50: 5, p99: 25 })
await record('send', 'POST /v1/send', how, figures, postgres)
