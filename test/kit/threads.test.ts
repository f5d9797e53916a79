import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { createThreads, TaskDropped, TaskKilled } from '../../src/kit/threads.ts'
import { until } from '../help/until.ts'

interface Task {
  kind: string
  text: string
}

const closing = new AbortController()
const plan = {
  file: new URL('../help/thread-tasks.ts', import.meta.url),
  name: 'work',
  data: { greeting: 'Hello' },
  sectionMs: 50,
  taskMs: 5_000,
  memoryMb: 64,
  closing: closing.signal,
}
const threads = createThreads<Task, string>(plan)
const strict = createThreads<Task, string>({ ...plan, foreground: false, taskMs: 250 })
afterAll(() => Promise.all([threads.close(), strict.close()]))

const run = (kind: string, text = 'x', plan: { urgent?: boolean; heavy?: boolean } = {}) =>
  threads.run(() => ({ kind, text }), { urgent: plan.urgent ?? false, owner: '', isHeavy: () => plan.heavy ?? false })

describe('a task', () => {
  test('is answered by its thread, which was started with data', async () => {
    expect(await Promise.all(['Ada', 'Bob', 'Eve'].map((name) => run('greet', name)))).toEqual(['Hello Ada', 'Hello Bob', 'Hello Eve'])
  })

  test('that fails rejects with its error, and the thread goes on', async () => {
    await expect(run('fail', 'broken')).rejects.toThrow('broken')
    expect(await run('greet', 'Ada')).toBe('Hello Ada')
  })

  test('that takes too long in a limited section is ended, and others are answered', async () => {
    const endless = run('spin in section')
    const others = Promise.all(['Ada', 'Bob'].map((name) => run('greet', name)))
    await expect(endless).rejects.toMatchObject({ exceeded: 'section' })
    expect(await others).toEqual(['Hello Ada', 'Hello Bob'])
    expect(await run('greet', 'Eve')).toBe('Hello Eve')
  })

  test('may take longer outside such a section', async () => {
    expect(await run('spin briefly', 'done')).toBe('done true')
  })

  test('that takes too long in all is ended, also outside such a section', async () => {
    const task = (kind: string, text: string) => strict.run(() => ({ kind, text }), { urgent: false, owner: '', isHeavy: () => true })
    await expect(task('spin', 'x')).rejects.toMatchObject({ exceeded: 'task' })
    expect(await task('greet', 'Ada')).toBe('Hello Ada')
  })

  test('that fills its memory is ended, and the process goes on', async () => {
    await expect(run('fill memory')).rejects.toMatchObject({ exceeded: 'memory' })
    expect(await run('greet', 'Ada')).toBe('Hello Ada')
  })

  test.each([40, 50, 60, 70, 80])('that is given up after %i ms while it fills its memory leaves the process alone', async (taskMs) => {
    const own = createThreads<Task, string>({ ...plan, foreground: false, memoryMb: 16, taskMs })
    onTestFinished(() => own.close())
    const task = (kind: string, text: string) => own.run(() => ({ kind, text }), { urgent: false, owner: '', isHeavy: () => true })
    for (let n = 0; n < 3; n++) await expect(task('fill memory', 'x')).rejects.toBeInstanceOf(TaskKilled)
    await until(async () => (await task('greet', 'Ada').catch(() => '')) === 'Hello Ada')
  })

  test('that is urgent is answered while heavy ones occupy the background', async () => {
    const heavy = Promise.all(Array.from({ length: 8 }, () => run('spin briefly', 'heavy', { heavy: true, urgent: true })))
    let ended = false
    void heavy.then(() => {
      ended = true
    })
    expect(await run('greet', 'Ada', { urgent: true })).toBe('Hello Ada')
    expect(ended).toBe(false)
    await heavy
  })
})

test('state of a thread is dropped when the thread was replaced', async () => {
  const seen: number[] = []
  const count = () =>
    threads.run(
      ({ state }) => {
        seen.push(state.size)
        state.set(`key ${seen.length}`, true)
        return { kind: 'greet', text: 'Ada' }
      },
      { urgent: true, owner: '', isHeavy: () => false },
    )
  await count()
  await count()
  await expect(run('spin in section', 'x', { urgent: true })).rejects.toBeInstanceOf(TaskKilled)
  await count()
  expect(seen).toEqual([seen[0], (seen[0] ?? 0) + 1, 0])
})

// Last, because these threads take no more tasks afterwards.
test('tasks that have not begun are dropped when the world closes', async () => {
  const all = Array.from({ length: 12 }, () => run('spin briefly'))
  closing.abort()
  const kinds = (await Promise.allSettled(all)).map((one) => (one.status === 'rejected' ? one.reason instanceof TaskDropped : 'done'))
  expect(kinds).toContain('done')
  expect(kinds.filter((kind) => kind === true).length).toBeGreaterThanOrEqual(8)
  await expect(run('greet')).rejects.toBeInstanceOf(TaskDropped)
})
