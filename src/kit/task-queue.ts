import { createRotation, type Rotation } from './rotation.ts'

/** How a task is scheduled. */
export interface TaskPlan {
  /** Goes before those that are not urgent, which have every fourth batch while both wait. */
  urgent: boolean
  /** Whose task it is: owners take turns. */
  owner: string
  /** Whether it takes long: then it runs on a background thread only, so that others do not wait for it. Asked when a thread is free. */
  isHeavy(): boolean
}

interface Planned {
  plan: TaskPlan
}

/** The tasks that wait for a thread. */
export interface TaskQueue<Task extends Planned> {
  add(task: Task): void
  /** Takes the tasks that a free thread runs next; none where those that wait are for other threads. */
  takeBatch(thread: FreeThread): Task[]
  removeAll(): Task[]
}

/** A thread that has nothing to do. */
export interface FreeThread {
  background: boolean
  /** Whether it has been started. */
  started: boolean
  /** How many threads have nothing to do, this one included. */
  free: number
}

// Waking a thread costs as much as a small task. An urgent task waits for one batch at most, and rarely for one in the background.
const maxBatch = 4
const maxBackgroundBatch = 16
// What is urgent may never end: others go on beside it, more slowly.
const othersEvery = 4

/** Creates a queue in which nothing waits. */
export function createTaskQueue<Task extends Planned>(): TaskQueue<Task> {
  const urgent = createRotation<Task>()
  const others = createRotation<Task>()
  let batches = 0

  // Heavy ones run alone and in the background; a thread takes only its share of the others.
  function takeFrom(tasks: Rotation<Task>, { background, started, free }: FreeThread): Task[] {
    const max = background && tasks === others ? maxBackgroundBatch : maxBatch
    const light = tasks.count(isLight, max * free)
    // A few urgent tasks go to the foreground if that is free, too: a background thread would have to start, or to wake up.
    const isForOther = tasks === urgent && background && free > 1 && light <= (started ? 1 : maxBatch)
    const share = isForOther ? 0 : Math.min(max, Math.ceil(light / free))
    const batch = Array.from({ length: share }, () => tasks.take((_owner, task) => isLight(task))).filter((task) => task !== undefined)
    if (batch.length > 0 || !background) return batch
    const heavy = tasks.take((_owner, task) => !isLight(task))
    return heavy ? [heavy] : []
  }

  return {
    add(task) {
      const tasks = task.plan.urgent ? urgent : others
      tasks.add(task.plan.owner, task)
    },
    takeBatch(thread) {
      if (urgent.isEmpty() || others.isEmpty()) return takeFrom(urgent.isEmpty() ? others : urgent, thread)
      batches++
      const [first, second] = batches % othersEvery === 0 ? [others, urgent] : [urgent, others]
      const batch = takeFrom(first, thread)
      return batch.length > 0 ? batch : takeFrom(second, thread)
    },
    removeAll: () => [urgent, others].flatMap((tasks) => [...takeAll(tasks)]),
  }
}

function isLight({ plan }: Planned): boolean {
  return !plan.isHeavy()
}

function* takeAll<Task extends Planned>(tasks: Rotation<Task>): Generator<Task> {
  for (let task = tasks.take(); task; task = tasks.take()) yield task
}
