import { availableParallelism } from 'node:os'
import type { Worker } from 'node:worker_threads'
import { move, Piscina, transferableSymbol, valueSymbol, workerData } from 'piscina'

/** How a task is scheduled. */
export interface TaskPlan {
  /** Goes before all that are not urgent. */
  urgent: boolean
  /** Whether it takes long: then it runs on a background thread only, so that others do not wait for it. Asked when a thread is free. */
  isHeavy(): boolean
}

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

/** The thread of a task was ended. */
export class TaskKilled extends Error {}

/** A task had not begun when the world closed. */
export class TaskDropped extends Error {}

/** What threads run, and within which limits. */
export interface ThreadsPlan {
  /** The module and its exported function that runs a task. */
  file: URL
  name: string
  /** Passed to every thread when it starts, with `marks`. */
  data: object
  /** CPU time that a section marked with `marks` may take, and a whole task, in ms; a thread that exceeds it is ended. */
  sectionMs: number
  taskMs: number
  /** Memory of one thread in MB. */
  memoryMb: number
  /** Aborted when the world begins to close. */
  closing: AbortSignal
}

/** What a thread is started with: it sets `marks[0]` to 1 while it runs a section whose CPU time is limited. */
export type ThreadData<Data> = Data & { marks: Int32Array; background: boolean }

const watchMs = 20
const maxThreads = 4

interface Task<In, Out> {
  prepare(thread: ThreadInfo): In
  plan: TaskPlan
  resolve(out: Out): void
  reject(error: unknown): void
}

interface Running {
  abort: AbortController
  cpuAtStart: number | undefined
  cpuAtSection: number | undefined
  killed: boolean
}

interface Thread extends ThreadInfo {
  pool: Piscina
  marks: Int32Array
  background: boolean
  running: Running | undefined
  /** Which worker the state belongs to. */
  worker: Worker | undefined
}

/** Opens one foreground thread, which starts at once, and background threads, which start with their first task. */
export function createThreads<In, Out>(plan: ThreadsPlan): Threads<In, Out> {
  const backgrounds = Math.max(1, Math.min(maxThreads, availableParallelism()) - 1)
  const threads = [openThread(plan, false), ...Array.from({ length: backgrounds }, () => openThread(plan, true))]
  const waiting: Task<In, Out>[] = []
  let watching: NodeJS.Timeout | undefined

  // Ordinary tasks prefer the background, so that the next urgent one finds a free thread.
  function threadFor({ isHeavy, urgent }: TaskPlan): Thread | undefined {
    const free = threads.filter(({ running }) => !running)
    const able = isHeavy() ? free.filter(({ background }) => background) : free
    return able.find(({ background }) => background !== urgent) ?? able[0]
  }

  function dispatch(): void {
    for (const urgent of [true, false]) {
      for (let at = 0; at < waiting.length; ) {
        const task = waiting[at]
        const thread = task && task.plan.urgent === urgent ? threadFor(task.plan) : undefined
        if (!task || !thread) at++
        else {
          waiting.splice(at, 1)
          void runOn(thread, task)
        }
        if (threads.every(({ running }) => running)) return
      }
    }
  }

  async function runOn(thread: Thread, task: Task<In, Out>): Promise<void> {
    const running: Running = { abort: new AbortController(), cpuAtStart: undefined, cpuAtSection: undefined, killed: false }
    thread.running = running
    if (!thread.worker || thread.pool.threads[0] !== thread.worker) thread.state.clear()
    watching ??= setInterval(watch, watchMs).unref()
    try {
      const out = (await thread.pool.run(task.prepare(thread), { name: plan.name, signal: running.abort.signal })) as Out
      thread.worker = thread.pool.threads[0]
      task.resolve(out)
    } catch (error) {
      // The next task may run on another worker.
      thread.worker = undefined
      const outOfMemory = (error as { code?: unknown }).code === 'ERR_WORKER_OUT_OF_MEMORY'
      task.reject(running.killed || outOfMemory ? new TaskKilled('The thread of a task was ended', { cause: error }) : error)
    } finally {
      Atomics.store(thread.marks, 0, 0)
      thread.running = undefined
      dispatch()
    }
  }

  function watch(): void {
    const busy = threads.filter(({ running }) => running)
    if (busy.length === 0) {
      clearInterval(watching)
      watching = undefined
    }
    for (const thread of busy) void check(thread)
  }

  async function check(thread: Thread): Promise<void> {
    const { running, marks } = thread
    const worker = thread.pool.threads[0]
    if (!running || !worker) return
    const cpu = await cpuOf(worker)
    if (thread.running !== running || cpu === undefined) return
    running.cpuAtStart ??= cpu
    running.cpuAtSection = Atomics.load(marks, 0) === 1 ? (running.cpuAtSection ?? cpu) : undefined
    const inSection = running.cpuAtSection === undefined ? 0 : cpu - running.cpuAtSection
    if (inSection <= plan.sectionMs && cpu - running.cpuAtStart <= plan.taskMs) return
    running.killed = true
    running.abort.abort()
  }

  plan.closing.addEventListener('abort', () => {
    for (const { reject } of waiting.splice(0)) reject(new TaskDropped())
  })

  return {
    run(prepare, taskPlan) {
      return new Promise<Out>((resolve, reject) => {
        if (plan.closing.aborted) return reject(new TaskDropped())
        waiting.push({ prepare, plan: taskPlan, resolve, reject })
        dispatch()
      })
    },
    async close() {
      clearInterval(watching)
      await Promise.all(threads.map(({ pool }) => pool.destroy()))
    },
  }
}

function openThread({ file, data, memoryMb }: ThreadsPlan, background: boolean): Thread {
  const marks = new Int32Array(new SharedArrayBuffer(4))
  const pool = new Piscina({
    filename: file.href,
    minThreads: background ? 0 : 1,
    maxThreads: 1,
    idleTimeout: 60_000,
    workerData: { ...data, marks, background } satisfies ThreadData<object>,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    recordTiming: false,
  })
  return { pool, marks, background, running: undefined, state: new Map(), worker: undefined }
}

// A worker that has ended meanwhile has no CPU time any more.
async function cpuOf(worker: Worker): Promise<number | undefined> {
  const usage = await worker.cpuUsage().catch(() => undefined)
  return usage && (usage.user + usage.system) / 1_000
}

/** What the thread that calls this was started with. */
export function threadData<Data>(): ThreadData<Data> {
  return workerData as ThreadData<Data>
}

/** An answer whose buffers are handed to the other thread instead of copied. */
export function transferring<Answer extends object>(answer: Answer, buffers: ArrayBuffer[]): Answer {
  // The pool takes the answer out of this envelope.
  return move({ [transferableSymbol]: buffers, [valueSymbol]: answer } as never) as unknown as Answer
}
