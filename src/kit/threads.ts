import { getCompileCacheDir } from 'node:module'
import { availableParallelism } from 'node:os'
import { dirname } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { move, Piscina, transferableSymbol, valueSymbol, workerData } from 'piscina'
import { createTaskQueue, type TaskPlan } from './task-queue.ts'

/** Threads that run tasks which may be hostile: one task at a time each, ended when it takes too much CPU time. */
export interface Threads<In, Out> {
  /**
   * Runs a task; `prepare` makes its input for the thread that runs it. Rejects with TaskKilled when the thread was ended
   * because the task exceeded its CPU time or its memory, and with TaskDropped when it had not begun as the world closed.
   */
  run(prepare: (thread: ThreadInfo) => In, plan: TaskPlan): Promise<Out>
  /** Ends all threads; call it when no task is running. */
  close(): Promise<void>
}

/** A thread, as far as tasks may depend on it: what `state` holds is dropped when the thread is replaced. */
export interface ThreadInfo {
  state: Map<string, unknown>
}

/** What a task exceeded: the CPU time of a section, that of the whole task, or the memory of a thread. */
export type Exceeded = 'section' | 'task' | 'memory'

/** The thread of a task was ended, because the task exceeded a limit. */
export class TaskKilled extends Error {
  readonly exceeded: Exceeded

  constructor(exceeded: Exceeded, cause: unknown) {
    super(`The thread of a task was ended: it exceeded the limit of its ${exceeded}`, { cause })
    this.exceeded = exceeded
  }
}

/** A task had not begun when the world closed. */
export class TaskDropped extends Error {}

/** What threads run, and within which limits. */
export interface ThreadsPlan {
  /** The module, and its exported function, made by `answering`, that runs tasks. */
  file: URL
  name: string
  /** Passed to every thread when it starts. */
  data: object
  /** Whether there is a foreground thread; without one, all tasks have to be heavy. Default: true. */
  foreground?: boolean
  /** CPU time that a section (see `ThreadData`) may take, and one task, in ms; a thread that exceeds it is ended. */
  sectionMs: number
  taskMs: number
  /** Memory of one thread in MB. */
  memoryMb: number
  /** Aborted when the world begins to close. */
  closing: AbortSignal
}

/** What a thread is started with. `onSection` is called when a section whose CPU time is limited begins, and when it ends. */
export type ThreadData<Data> = Data & { onSection(): void }

const watchMs = 20
const maxThreads = 4
// What the threads share: how many sections have begun or ended (odd: inside one), which task of the batch is running, and how many
// tasks have begun.
const sections = 0
const position = 1
const begun = 2

interface Task<In, Out> {
  prepare(thread: ThreadInfo): In
  plan: TaskPlan
  resolve(out: Out): void
  reject(error: unknown): void
}

interface Running {
  abort: AbortController
  /** How many tasks had begun before: what the thread takes to load its module belongs to none. */
  before: number
  /** The task of the batch that is running, by how many have begun, and the CPU time at its start. */
  task: { at: number; cpu: number } | undefined
  section: { count: number; cpu: number } | undefined
  exceeded: Exceeded | undefined
}

interface Thread extends ThreadInfo {
  pool: Piscina
  marks: Int32Array
  background: boolean
  running: Running | undefined
  /** Which worker the state belongs to. */
  worker: Worker | undefined
}

type Answer<Out> = { out: Out } | { error: unknown }

/** Opens one foreground thread, which starts at once, unless the plan has none, and background threads, which start with their first task. */
export function createThreads<In, Out>(plan: ThreadsPlan): Threads<In, Out> {
  const backgrounds = Math.max(1, Math.min(maxThreads, availableParallelism()) - 1)
  const threads = Array.from({ length: backgrounds }, () => openThread(plan, true))
  if (plan.foreground !== false) threads.unshift(openThread(plan, false))
  const waiting = createTaskQueue<Task<In, Out>>()
  const stopWatching = watch(threads, plan)

  function dispatch(): void {
    // Ordinary tasks prefer the background, so that the next urgent one finds a free thread.
    for (const thread of threads.toSorted((one, other) => Number(other.background) - Number(one.background))) {
      if (thread.running) continue
      const free = threads.filter(({ running }) => !running).length
      const batch = waiting.takeBatch({ background: thread.background, started: thread.pool.threads.length > 0, free })
      if (batch.length === 0) continue
      void runOn(thread, batch)
    }
  }

  async function runOn(thread: Thread, batch: Task<In, Out>[]): Promise<void> {
    const before = Atomics.load(thread.marks, begun)
    const running: Running = { abort: new AbortController(), before, task: undefined, section: undefined, exceeded: undefined }
    thread.running = running
    if (!thread.worker || thread.pool.threads[0] !== thread.worker) thread.state.clear()
    try {
      const inputs = batch.map(({ prepare }) => prepare(thread))
      const answers: Answer<Out>[] = await thread.pool.run(inputs, { name: plan.name, signal: running.abort.signal })
      thread.worker = thread.pool.threads[0]
      for (const [at, answer] of answers.entries()) settle(batch[at], answer)
    } catch (error) {
      // The next task may run on another worker.
      thread.worker = undefined
      const exceeded = running.exceeded ?? (isOutOfMemory(error) ? 'memory' : undefined)
      if (exceeded) rerunOthers(batch, Atomics.load(thread.marks, position), new TaskKilled(exceeded, error))
      else for (const { reject } of batch) reject(error)
    } finally {
      if (Atomics.load(thread.marks, sections) % 2 === 1) Atomics.add(thread.marks, sections, 1)
      thread.running = undefined
      dispatch()
    }
  }

  // The tasks beside the one that was running when its thread was ended are run again.
  function rerunOthers(batch: Task<In, Out>[], culprit: number, killed: TaskKilled): void {
    batch[culprit]?.reject(killed)
    if (plan.closing.aborted) for (const { reject } of batch) reject(new TaskDropped())
    else for (const [at, task] of batch.entries()) if (at !== culprit) waiting.add(task)
  }

  plan.closing.addEventListener('abort', () => {
    for (const { reject } of waiting.removeAll()) reject(new TaskDropped())
  })

  return {
    run(prepare, taskPlan) {
      return new Promise<Out>((resolve, reject) => {
        if (plan.closing.aborted) return reject(new TaskDropped())
        waiting.add({ prepare, plan: taskPlan, resolve, reject })
        dispatch()
      })
    },
    async close() {
      stopWatching()
      await Promise.all(threads.map(({ pool }) => pool.destroy()))
    },
  }
}

function isOutOfMemory(error: unknown): boolean {
  return (error as { code?: unknown }).code === 'ERR_WORKER_OUT_OF_MEMORY'
}

function settle<In, Out>(task: Task<In, Out> | undefined, answer: Answer<Out>): void {
  if ('out' in answer) task?.resolve(answer.out)
  else task?.reject(answer.error)
}

// Ends threads whose task exceeds its CPU time; returns what stops watching.
function watch(threads: Thread[], { sectionMs, taskMs }: ThreadsPlan): () => void {
  async function check(thread: Thread): Promise<void> {
    const { running, marks } = thread
    const worker = thread.pool.threads[0]
    if (!running || !worker) return
    const cpu = await cpuOf(worker)
    if (thread.running !== running || cpu === undefined) return
    const count = Atomics.load(marks, sections)
    const at = Atomics.load(marks, begun)
    if (at === running.before) return
    if (running.task?.at !== at) running.task = { at, cpu }
    if (running.section?.count !== count) running.section = { count, cpu }
    const inSection = count % 2 === 1 ? cpu - running.section.cpu : 0
    if (inSection <= sectionMs && cpu - running.task.cpu <= taskMs) return
    running.exceeded = inSection > sectionMs ? 'section' : 'task'
    running.abort.abort()
  }
  const timer = setInterval(() => {
    for (const thread of threads) if (thread.running) void check(thread)
  }, watchMs).unref()
  return () => clearInterval(timer)
}

function openThread({ file, data, memoryMb }: ThreadsPlan, background: boolean): Thread {
  const marks = new Int32Array(new SharedArrayBuffer(12))
  const pool = new Piscina({
    filename: file.href,
    minThreads: background ? 0 : 1,
    maxThreads: 1,
    idleTimeout: 60_000,
    workerData: { data, marks },
    // A small young generation: what a task makes is garbage when it has ended.
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 12 },
    recordTiming: false,
    env: compileCache(),
  })
  const thread: Thread = { pool, marks, background, running: undefined, state: new Map(), worker: undefined }
  // A worker may end when its task has been answered or given up, such as one that was ended for its CPU time and then fills its memory.
  // Without a listener that would end the process; the next task runs on another worker.
  pool.on('error', () => {
    thread.worker = undefined
  })
  return thread
}

// With the compiled code of the main thread a thread starts in a third of the time, and without the compiler in its memory. It
// gets no other variable.
function compileCache(): Record<string, string> {
  const folder = getCompileCacheDir()
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) }
}

// A worker that has ended meanwhile has no CPU time any more.
async function cpuOf(worker: Worker): Promise<number | undefined> {
  const usage = await worker.cpuUsage().catch(() => undefined)
  return usage && (usage.user + usage.system) / 1_000
}

/** What the thread that calls this was started with. */
export function threadData<Data>(): ThreadData<Data> {
  const { data, marks } = workerData as { data: Data; marks: Int32Array }
  return { ...data, onSection: () => void Atomics.add(marks, sections, 1) }
}

/**
 * Makes a function of a thread that runs tasks. `lend` hands a buffer of the answer over to the other thread instead of copying it.
 */
export function answering<In, Out>(
  work: (input: In, lend: (buffer: ArrayBuffer) => void) => Out | Promise<Out>,
): (inputs: In[]) => Promise<unknown> {
  const { marks } = workerData as { marks: Int32Array }
  return async (inputs) => {
    const lent: ArrayBuffer[] = []
    const answers: Answer<Out>[] = []
    for (const [at, input] of inputs.entries()) {
      Atomics.store(marks, position, at)
      Atomics.add(marks, begun, 1)
      try {
        answers.push({ out: await work(input, (buffer) => void lent.push(buffer)) })
      } catch (error) {
        answers.push({ error })
      }
    }
    // The pool takes the answers out of this envelope.
    return move({ [transferableSymbol]: lent, [valueSymbol]: answers } as never)
  }
}
