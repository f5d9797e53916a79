import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** The metrics of this process, served in the Prometheus format at /metrics. */
export type Metrics = ReturnType<typeof createMetrics>

/** A new registry with the metrics of every process. */
export function createMetrics() {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  return {
    registry,
    requests: new Histogram({
      name: 'postwire_http_request_seconds',
      help: 'Time to answer a request, by route and status.',
      labelNames: ['route', 'status'],
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
      registers,
    }),
    ...mailMetrics(registers),
    sendingPaused: new Gauge({
      name: 'postwire_sending_paused',
      help: 'Senders that this process has paused because the mail server refused them again and again: sender domains, and 1 for all sending.',
      labelNames: ['scope'],
      registers,
    }),
    subscribers: new Gauge({ name: 'postwire_subscribers', help: 'Live activity subscriptions of this process.', registers }),
    ...logMetrics(registers),
  }
}

function mailMetrics(registers: Registry[]) {
  return {
    mails: new Counter({
      name: 'postwire_mails_total',
      help: 'Emails that this process has settled, by status.',
      labelNames: ['status'],
      registers,
    }),
    feedback: new Counter({
      name: 'postwire_feedback_total',
      help: 'What providers and mail servers reported about emails, by kind (delivery, bounce, transient, complaint, failure, rejection; other for what is no report about an email of ours) and result: recorded, unchanged (known before, about a copy, or of a deleted contact), or unknown (no such email).',
      labelNames: ['kind', 'result'],
      registers,
    }),
    transportUp: new Gauge({
      name: 'postwire_mail_transport_up',
      help: 'Whether this process can use its mail server: 1 or 0; 0 until it has tried.',
      registers,
    }),
  }
}

function logMetrics(registers: Registry[]) {
  return {
    linesSetAside: new Counter({
      name: 'postwire_log_lines_set_aside_total',
      help: 'Lines of the event log that a reader could not handle, by reader; the table log_lines_set_aside has them.',
      labelNames: ['reader'],
      registers,
    }),
    oldestWrite: new Gauge({
      name: 'postwire_oldest_write_seconds',
      help: 'Age of the oldest open write transaction; it holds the live stream and every reader of the event log back.',
      registers,
    }),
    linesWaiting: new Gauge({
      name: 'postwire_log_lines_waiting',
      help: 'Lines of the event log that the oldest open write transaction holds back, counted up to 100,000.',
      registers,
    }),
  }
}
