import { expect, test } from 'vitest'
import { createTaskQueue, type FreeThread, type TaskPlan } from '../../src/kit/task-queue.ts'

const foreground: FreeThread = { background: false, started: true, free: 1 }
const background: FreeThread = { background: true, started: true, free: 1 }

/** A queue of so many tasks, written as `10 urgent a, 3 b, 1 heavy c`. */
function queueOf(text: string) {
  const queue = createTaskQueue<{ name: string; plan: TaskPlan }>()
  for (const part of text.split(', ')) {
    const [count, ...words] = part.split(' ')
    const owner = words.at(-1) ?? ''
    const name = `${words.includes('urgent') ? 'urgent ' : ''}${owner}`
    const plan = { urgent: words.includes('urgent'), owner, isHeavy: () => words.includes('heavy') }
    for (let nth = 0; nth < Number(count); nth++) queue.add({ name, plan })
  }
  return (thread: FreeThread): string =>
    queue
      .takeBatch(thread)
      .map(({ name }) => name)
      .join(', ')
}

test('owners take turns, however many tasks each has', () => {
  const take = queueOf('600 urgent a, 2 urgent b, 1 urgent c')
  expect(take(foreground)).toBe('urgent a, urgent b, urgent c, urgent a')
  expect(take(foreground)).toBe('urgent b, urgent a, urgent a, urgent a')
})

test('what is urgent goes first, and while it does not end every fourth batch is of others', () => {
  const take = queueOf('600 urgent a, 40 b, 8 c')
  const batches = Array.from({ length: 8 }, () => take(foreground))
  expect(batches.map((batch) => (batch.startsWith('urgent') ? 'urgent' : batch))).toEqual([
    'urgent',
    'urgent',
    'urgent',
    'b, c, b, c',
    'urgent',
    'urgent',
    'urgent',
    'b, c, b, c',
  ])
})

test('others have all batches when nothing is urgent, and larger ones in the background', () => {
  const take = queueOf('40 b')
  expect(take(foreground).split(', ')).toHaveLength(4)
  expect(take(background).split(', ')).toHaveLength(16)
})

test('a heavy task runs alone and in the background, after those that are not', () => {
  const take = queueOf('1 urgent heavy a, 2 urgent b')
  expect(take(background)).toBe('urgent b, urgent b')
  expect(take(foreground)).toBe('')
  expect(take(background)).toBe('urgent a')
})

test('free threads share what waits, and a few urgent tasks go to the foreground', () => {
  const take = queueOf('6 urgent a')
  expect(take({ ...foreground, free: 2 }).split(', ')).toHaveLength(3)
  expect(take({ ...background, started: false, free: 2 })).toBe('')
  expect(take({ ...background, free: 1 }).split(', ')).toHaveLength(3)
})
