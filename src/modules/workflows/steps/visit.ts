import type { Ctx } from '../../../kit/context.ts'
import type { Transaction } from '../../../kit/postgres/db.ts'
import type { StepStatus } from '../shapes.ts'

/** What an execution has recorded of the step it is at. */
export interface OpenRecord {
  id: string
  status: StepStatus
  input: unknown
  output: unknown
  attempts: number
  startedAt: Date
  scheduledFor: Date | null
}

/** An execution at one of its steps. */
export interface Visit<Config extends object = object> {
  /** Acts for the platform in the project of the execution. */
  ctx: Ctx
  executionId: string
  workflow: { id: string; name: string }
  contactId: string
  startedAt: Date
  /** The moment at which the execution last rested; null for those that an earlier version of this program has started. */
  restAt: Date | null
  /** The moment at which the execution came to the step, however late this visit is: delays and timeouts run from it. */
  cameAt: Date
  /** How many executions led to what this one writes into the log. */
  depth: number
  step: { id: string; name: string; templateId: string | null; config: Config }
  /** What an earlier visit of the same step has left; null at the first one. */
  record: OpenRecord | null
  now: Date
  /** What the execution was started with. */
  readContext(): Promise<Record<string, unknown>>
}

/** The moment at which an execution rested: a time, and its place in the log where it is that of an event. */
export interface Rest {
  at: Date
  place?: { epoch: number; xid: string; id: string }
}

/** What a step leads to. */
export type Outcome =
  /** The step is done, and the execution goes on by one of its exits; `rest` where it has rested there. */
  | { kind: 'leave'; exit: string; output?: object; rest?: Rest }
  /** The execution stays at the step; it is looked at again at `wakeAt`, if ever, and before that when `waitsFor` happens. */
  | { kind: 'wait'; wakeAt: Date | null; endsAt: Date | null; waitsFor?: string; output?: object }
  /** A webhook was left to be called, whose outcome moves the execution on. */
  | { kind: 'call'; output?: undefined }
  /** The step is done, and the execution ends. */
  | { kind: 'exit'; reason: string; output?: object }
  /** The step has failed, and so has the execution. */
  | { kind: 'fail'; error: string; output?: object }
  /** The step cannot be done any more, and the execution is cancelled. */
  | { kind: 'cancel'; reason: string; output?: object }

/** What a step does in the transaction that records it: all of it is stored, or nothing. */
export type Act = (tx: Transaction) => Promise<Outcome>

/** Does the work of a step: returns what it leads to, or what has to be done together with its record. */
export type Run<Config extends object> = (visit: Visit<Config>) => Promise<Outcome | Act>
