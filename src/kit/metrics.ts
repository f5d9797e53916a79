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
    ...queueMetrics(registers),
    ...liveMetrics(registers),
    ...logMetrics(registers),
    ...databaseMetrics(registers),
    reserved: reservedMetrics(registers),
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
    sendingPaused: new Gauge({
      name: 'postwire_sending_paused',
      help: 'Senders that this process has paused because the mail server refused them again and again: sender domains, and 1 for all sending.',
      labelNames: ['scope'],
      registers,
    }),
  }
}

function queueMetrics(registers: Registry[]) {
  return {
    emailsWaiting: new Gauge({
      name: 'postwire_emails_waiting',
      help: 'Emails of the installation that may leave now and have not, by lane, counted up to 10,000 each; and as later those that are tried again at a time of their own.',
      labelNames: ['lane'],
      registers,
    }),
    oldestEmail: new Gauge({
      name: 'postwire_oldest_email_seconds',
      help: 'Time since the oldest email that may leave now was accepted, by lane; 0 when none waits.',
      labelNames: ['lane'],
      registers,
    }),
    jobs: new Gauge({
      name: 'postwire_jobs',
      help: 'Background jobs of the installation, by queue and state (waiting or running), as they were counted last: once a minute.',
      labelNames: ['queue', 'state'],
      registers,
    }),
    webhookCalls: new Counter({
      name: 'postwire_webhook_calls_total',
      help: 'Calls of webhooks that this process has made, by result: answered, retried (it will be called again), failed (it was given up), or interrupted (this process stopped).',
      labelNames: ['result'],
      registers,
    }),
    webhooksWaiting: new Gauge({
      name: 'postwire_webhooks_waiting',
      help: 'Webhooks of the installation that are due, called or will be called again, counted up to 10,000.',
      registers,
    }),
    oldestWebhook: new Gauge({
      name: 'postwire_oldest_webhook_seconds',
      help: 'Time for which the oldest webhook has been due without being called; 0 when none is.',
      registers,
    }),
  }
}

function liveMetrics(registers: Registry[]) {
  return {
    subscribers: new Gauge({ name: 'postwire_subscribers', help: 'Live subscriptions of this process.', registers }),
    connections: new Gauge({
      name: 'postwire_live_connections',
      help: 'Connections of this process that live streams may use, by kind: websocket or event_stream.',
      labelNames: ['kind'],
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
    readersBehind: new Gauge({
      name: 'postwire_log_reader_behind_seconds',
      help: 'Age of the first line of the event log that a reader has not handled, by reader; 0 when it has handled all.',
      labelNames: ['reader'],
      registers,
    }),
  }
}

function databaseMetrics(registers: Registry[]) {
  return {
    databaseUp: new Gauge({
      name: 'postwire_database_up',
      help: 'Whether this process could ask Postgres for these metrics: 1 or 0. While it is 0, those of the whole installation are left out.',
      registers,
    }),
    databaseConnections: new Gauge({
      name: 'postwire_database_connections',
      help: 'Connections of this process to Postgres, by pool and state (used or idle), and as waiting the callers that wait for one.',
      labelNames: ['pool', 'state'],
      registers,
    }),
  }
}

/** Something of which only so many bytes may be in use. */
interface Bounded {
  use(): { taken: number; max: number }
}

// Read when the metrics are collected, so that what takes and gives back knows nothing of them.
function reservedMetrics(registers: Registry[]) {
  const watched: { budget: string; bounded: Bounded }[] = []
  const gauge = (name: string, help: string, of: keyof ReturnType<Bounded['use']>) =>
    new Gauge({
      name,
      help,
      labelNames: ['budget'],
      registers,
      collect() {
        this.reset()
        for (const { budget, bounded } of watched) this.inc({ budget }, bounded.use()[of])
      },
    })
  gauge('postwire_reserved_bytes', 'Memory, and disk for arriving_files, that work of this process has reserved, by budget.', 'taken')
  gauge('postwire_reserved_bytes_max', 'How much of each budget can be reserved at a time.', 'max')
  return {
    /** Shows a budget from now on; those of one name are added up. */
    watch: (budget: string, bounded: Bounded) => void watched.push({ budget, bounded }),
  }
}
