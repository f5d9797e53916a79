import { expect, test } from 'vitest'
import type { EditedWorkflowFragment } from '../../src/dashboard/graphql/graphql.ts'
import { arrangementOf, laidOut } from '../../src/dashboard/pages/workflows/canvas/layout.ts'
import { createMoves, type Saved } from '../../src/dashboard/pages/workflows/canvas/moves.ts'
import { isNear, type Point, roomFor, sizes } from '../../src/dashboard/pages/workflows/canvas/placement.ts'

type Places = Record<string, [number, number]>

// Steps at places, and what leads from each to which; a name with a colon is that of an exit.
function workflow(places: Places, ways: Record<string, string | null> = {}): EditedWorkflowFragment {
  const named = Object.entries(ways).map(([way, to]) => ({ from: way.split(':')[0], branch: way.split(':')[1] ?? null, to, id: way }))
  const steps = Object.entries(places).map(([id, [x, y]]) => ({
    id,
    name: id,
    type: 'CONDITION',
    position: { x, y },
    exits: named
      .filter(({ from }) => from === id)
      .map(({ branch, to, id }) => ({ branch, name: branch ?? '', transition: to === null ? null : { id, toStepId: to } })),
  }))
  const transitions = named
    .filter(({ to }) => to !== null)
    .map(({ from, to, id, branch }) => ({ id, branch, fromStepId: from, toStepId: to }))
  return { steps, transitions, issues: [] } as unknown as EditedWorkflowFragment
}

const ways = { 'a:yes': 'b', 'a:no': null, b: 'c', c: null }
const shown = (one: EditedWorkflowFragment, moved?: Map<string, Point>) =>
  Object.fromEntries(laidOut(one, moved).spots.map(({ id, x, y }) => [id, [x, y]])) as Places

function covered(one: EditedWorkflowFragment): string[] {
  const boxes = laidOut(one).spots.map((spot) => ({ ...spot, ...sizes[spot.kind] }))
  return boxes.flatMap((box, nth) => boxes.slice(nth + 1).flatMap((other) => (isNear(box, other) ? [`${box.id} and ${other.id}`] : [])))
}

test('steps that are all where the API puts those without a position are laid out, and none covers another', () => {
  const bare = workflow({ a: [0, 0], b: [0, 150], c: [0, 300] }, { ...ways, 'a:no': 'c' })
  expect(Object.fromEntries(arrangementOf(bare))).toEqual(
    Object.fromEntries(['a', 'b', 'c'].map((id) => [id, { x: shown(bare)[id]?.[0], y: shown(bare)[id]?.[1] }])),
  )
  expect(shown(bare)).not.toMatchObject({ b: [0, 150] })
  expect(covered(bare)).toEqual([])
})

test('a column that people have made at x = 0 is shown as it is, from its first step on', () => {
  const places: Places = { a: [0, 0], b: [0, 136], c: [0, 400] }
  expect(shown(workflow(places, { a: 'b', b: 'c', c: null }))).toMatchObject(places)
})

test('a line between two steps leads around a third one that stands between them', () => {
  const one = workflow({ a: [40, 0], b: [48, 160], c: [40, 400] }, { 'a:yes': 'c', 'a:no': 'b', b: 'c', c: null })
  const line = laidOut(one).lines.find(({ id }) => id === 'a yes')
  const bends = line?.bends ?? []
  expect(bends.length).toBeGreaterThan(0)
  const box = { x: 48, y: 160, ...sizes.step }
  const beside = bends.filter(({ y }) => y > box.y - 8 && y < box.y + box.height + 8)
  expect(beside.every(({ x }) => x < box.x || x > box.x + box.width)).toBe(true)
  // From left to right of it, or the other way, it goes above and below only.
  const sides = new Set(bends.slice(3, -3).map(({ x }) => x < box.x))
  expect(sides.size).toBe(1)
  expect(laidOut(one).lines.find(({ id }) => id === 'b ')?.bends).toBe(null)
})

test('what an arrangement stores is taken for placed, however few steps there are', () => {
  for (const one of [workflow({ a: [0, 0] }), workflow({ a: [0, 0], b: [0, 150] }, { a: 'b' })])
    for (const { x } of arrangementOf(one).values()) expect(x).not.toBe(0)
})

test('one step beside the column says that people have placed them all, and each is shown where it is', () => {
  const places: Places = { a: [0, 0], b: [-160, 450], c: [160, 450] }
  const one = workflow(places, ways)
  expect(shown(one)).toMatchObject(places)
  expect(covered(one)).toEqual([])
})

test('a step that nobody has placed is shown beside one that it would cover, and one that was put over another stays there', () => {
  const one = workflow({ a: [8, 0], b: [16, 150], c: [0, 160] }, ways)
  expect(shown(one)).toMatchObject({ a: [8, 0], b: [16, 150] })
  expect(covered(one)).toEqual([])
  expect(shown(workflow({ a: [8, 0], b: [16, 8] }))).toMatchObject({ a: [8, 0], b: [16, 8] })
})

test('labels of lines cover neither steps nor each other, and lines straight down are straight', () => {
  const one = workflow(
    { a: [40, 0], b: [40, 136], c: [320, 136] },
    { 'a:When it happens': 'b', 'a:When the time has passed': 'c', b: null, c: null },
  )
  const boxes = laidOut(one).lines.map(({ exit, label }) => {
    const width = 6 * (exit?.label?.length ?? 0) + 24
    return { x: label.x - width / 2, y: label.y - 12, width, height: 24 }
  })
  for (const [nth, box] of boxes.entries()) for (const other of boxes.slice(nth + 1)) expect(isNear(box, other)).toBe(false)
  const { spots, lines } = laidOut(workflow({ a: [0, 0], b: [0, 150] }, { a: 'b' }))
  const middle = (spots.find(({ id }) => id === 'a')?.x ?? 0) + sizes.step.width / 2
  expect(lines.slice(0, 2).map(({ label }) => label.x)).toEqual([middle, middle])
})

test('what has been moved is shown where it is moved to, whatever is stored', () => {
  const moved = new Map([['b', { x: 400, y: 80 }]])
  expect(shown(workflow({ a: [8, 0], b: [16, 150], c: [16, 300] }, ways), moved)).toMatchObject({ a: [8, 0], b: [400, 80] })
})

test('a new step between two others moves down what is in its way, and covers none', () => {
  const places: Places = { a: [40, 0], b: [40, 136], c: [40, 272], beside: [400, 140] }
  const room = roomFor(workflow(places, ways), { add: 'a', exit: 'yes' })
  expect(room).toEqual({
    position: { x: 40, y: 136 },
    moves: [
      { stepId: 'b', position: { x: 40, y: 272 } },
      { stepId: 'c', position: { x: 40, y: 408 } },
      { stepId: 'beside', position: { x: 400, y: 276 } },
    ],
  })
})

test('a new step takes a free place without moving others, behind an exit that led nowhere as well', () => {
  expect(roomFor(workflow({ a: [40, 0], b: [40, 400], c: [40, 600] }, ways), { add: 'a', exit: 'yes' })).toEqual({
    position: { x: 40, y: 136 },
    moves: [],
  })
  const beside = roomFor(workflow({ a: [40, 0], b: [40, 136], c: [40, 272] }, ways), { add: 'a', exit: 'no' })
  expect(beside?.moves).toEqual([])
  const box = { x: 0, y: 0, ...beside?.position, ...sizes.step }
  expect(isNear(box, { x: 40, y: 136, ...sizes.step })).toBe(false)
})

test('before the first step all move down; where nobody has placed steps the API says where', () => {
  expect(roomFor(workflow({ a: [40, 0], b: [0, 136], c: [40, 272] }, ways), { add: 'start', exit: undefined })).toMatchObject({
    position: { x: 40, y: 0 },
    moves: [
      { stepId: 'a', position: { x: 40, y: 136 } },
      { stepId: 'b', position: { x: 1, y: 272 } },
      { stepId: 'c', position: { x: 40, y: 408 } },
    ],
  })
  expect(roomFor(workflow({ a: [0, 0], b: [0, 150] }, { a: 'b' }), { add: 'a', exit: undefined })).toBeUndefined()
})

test('a step stands where it was moved to until what is read is as new, and a refusal puts it back, but not what was moved since', async () => {
  const answers: Saved[] = [{ savedAt: '2026-03-01T00:00:02Z' }, { problem: { code: 'RESOURCE_NOT_FOUND', message: 'Gone', fields: [] } }]
  const stored: [string, Point][][] = []
  const moves = createMoves(async (places) => {
    stored.push(places)
    return answers.shift() as Saved
  })
  const at = () => Object.fromEntries([...moves.shown()].map(([id, { x, y }]) => [id, [x, y]]))
  moves.put([['a', { x: 0, y: 8 }]])
  await moves.save()
  moves.read('2026-03-01T00:00:01Z')
  expect(at()).toEqual({ a: [1, 8] })
  moves.read('2026-03-01T00:00:02Z')
  expect(at()).toEqual({})
  moves.put([
    ['a', { x: 16, y: 16 }],
    ['b', { x: 8, y: 8 }],
  ])
  const saving = moves.save()
  moves.put([['b', { x: 24, y: 24 }]])
  await saving
  expect(at()).toEqual({ b: [24, 24] })
  expect(stored).toEqual([
    [['a', { x: 1, y: 8 }]],
    [
      ['a', { x: 16, y: 16 }],
      ['b', { x: 8, y: 8 }],
    ],
  ])
})
