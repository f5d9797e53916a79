import { expect, test } from 'vitest'
import { type Exit, outlineOf, type Sequence } from '../../src/dashboard/pages/workflows/graph.ts'

interface Step {
  id: string
}

// Each step with what its exits lead to; nothing where the execution ends.
function drawn(graph: Record<string, (string | null)[]>): unknown[] {
  const exitsOf = ({ id }: Step): Exit[] =>
    (graph[id] ?? []).map((to, at) => ({ branch: String(at), label: String(at), to, transition: null }))
  return outlineOf(
    Object.keys(graph).map((id) => ({ id })),
    exitsOf,
  ).map(read)
}

function read({ items, jump }: Sequence<Step>): unknown[] {
  const parts = items.map(({ step, ways }) => (ways.length === 0 ? step.id : [step.id, ...ways.map(({ sequence }) => read(sequence))]))
  return jump ? [...parts, `→ ${jump.id}`] : parts
}

test('steps follow each other, and those that nothing leads to begin sequences of their own', () => {
  expect(drawn({ a: ['b'], b: [null], c: [] })).toEqual([['a', 'b'], ['c']])
})

test('what several exits lead to stands behind them, once', () => {
  expect(drawn({ a: ['b', 'c'], b: ['d'], c: ['d'], d: [] })).toEqual([[['a', ['b', '→ d'], ['c', '→ d']], 'd']])
  expect(drawn({ a: ['b', null], b: [] })).toEqual([[['a', ['b'], []]]])
})

test('what some of the exits of inner steps lead to stands behind the outer one', () => {
  const graph = {
    wait: ['thanks', 'plan'],
    thanks: ['size'],
    size: ['hook', 'week'],
    plan: ['hook', 'tips'],
    tips: ['week'],
    hook: ['week'],
    week: [],
  }
  expect(drawn(graph)).toEqual([
    [['wait', ['thanks', ['size', ['→ hook'], ['→ week']]], [['plan', ['→ hook'], ['tips', '→ week']]]], 'hook', 'week'],
  ])
})

test('of steps that come together without following each other each has one place', () => {
  const graph = { a: ['b', 'c'], b: ['x', 'y'], c: ['x', 'y'], x: [], y: [] }
  const text = JSON.stringify(drawn(graph))
  for (const id of Object.keys(graph)) expect(text.split(`"${id}"`).length - 1).toBe(1)
})
