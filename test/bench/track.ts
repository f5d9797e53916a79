// Measures POST /v1/track: contact, field types and log line are durable before the answer.
import { measureEndpoint } from './endpoint.ts'
import { record } from './results.ts'

const how =
  'Closed loop over 20 and 100 connections and 20,000 contacts, the median of several rounds; every call changes the contact and adds an event. The yardstick is bare `node:http` with one prepared `pg` statement per request that writes the same rows, without keys, checks, limits or merge rules.'
const { figures, postgres } = await measureEndpoint('track', { ratio: 1.5 })
await record('track', 'POST /v1/track', how, figures, postgres)
