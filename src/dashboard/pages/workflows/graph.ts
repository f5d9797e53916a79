/** A step, as far as its place in a graph goes. */
export interface Placeable {
  id: string
}

/** One way out of a step. */
export interface Exit {
  /** Null for the plain one. */
  branch: string | null
  /** When it is taken; null where a step has this one alone. */
  label: string | null
  /** The step it leads to; null where the execution ends. */
  to: string | null
  /** The transition that leads there. */
  transition: string | null
}

/** A step at its place in an outline. */
export interface Placed<S> {
  step: S
  exits: Exit[]
  /** What follows each of its exits, where there are several; null: what follows several of them together, and not all. */
  ways: { exit: Exit | null; sequence: Sequence<S> }[]
}

/** Steps that follow each other. */
export interface Sequence<S> {
  items: Placed<S>[]
  /** The step it goes on with, where that has its place elsewhere. */
  jump: S | null
}

/**
 * A graph as an outline, in which every step has one place: what follows several exits of a step together stands behind the step, once.
 * The first sequence begins with the step that executions begin with, the others with steps that nothing leads to.
 */
export function outlineOf<S extends Placeable>(steps: readonly S[], exitsOf: (step: S) => Exit[]): Sequence<S>[] {
  const byId = new Map(steps.map((step) => [step.id, { step, exits: exitsOf(step) }]))
  const targets = new Set([...byId.values()].flatMap(({ exits }) => exits.flatMap(({ to }) => to ?? [])))
  const nextOf = (id: string) => byId.get(id)?.exits.flatMap(({ to }) => to ?? []) ?? []
  const order = topological([...byId.keys()], nextOf)
  const placed = new Set<string>()
  const build = (from: string | null, stops: ReadonlySet<string>): Sequence<S> => {
    const items: Placed<S>[] = []
    let at = from
    while (at !== null) {
      const found = byId.get(at)
      if (!found) break
      if (placed.has(at) || stops.has(at)) return { items, jump: found.step }
      placed.add(at)
      const { step, exits } = found
      if (exits.length <= 1) {
        items.push({ step, exits, ways: [] })
        at = exits[0]?.to ?? null
        continue
      }
      const shared = sharedBy(exits, { order, nextOf }).filter((id) => !stops.has(id) && !placed.has(id))
      const inner = new Set([...stops, ...shared])
      const ways: Placed<S>['ways'] = exits.map((exit) => ({ exit, sequence: build(exit.to, inner) }))
      items.push({ step, exits, ways })
      // The first of them and what follows it go on from here; those that it does not lead to stand beside the ways.
      const [join = null, ...others] = shared
      const after = new Set(join === null ? [] : reachedFrom(join, nextOf))
      for (const id of others.filter((one) => !after.has(one) && !placed.has(one)))
        ways.push({ exit: null, sequence: build(id, new Set([...stops, ...after])) })
      at = join
    }
    return { items, jump: null }
  }
  const roots = steps.filter(({ id }) => !targets.has(id))
  return roots.map(({ id }) => build(id, new Set()))
}

interface Structure {
  order: ReadonlyMap<string, number>
  nextOf(id: string): string[]
}

// The steps that several exits lead to, by whatever way, each before those that follow it.
function sharedBy(exits: readonly Exit[], { order, nextOf }: Structure): string[] {
  const counts = new Map<string, number>()
  for (const { to } of exits) for (const id of to === null ? [] : reachedFrom(to, nextOf)) counts.set(id, (counts.get(id) ?? 0) + 1)
  const shared = [...counts].filter(([, count]) => count > 1).map(([id]) => id)
  return shared.sort((one, other) => (order.get(one) ?? 0) - (order.get(other) ?? 0))
}

/** The step that executions begin with: the oldest that nothing leads to. */
export function entryOf<S extends Placeable>(graph: { steps: readonly S[]; transitions: readonly { toStepId: string }[] }): S | undefined {
  const targets = new Set(graph.transitions.map(({ toStepId }) => toStepId))
  return graph.steps.find(({ id }) => !targets.has(id))
}

/** A step and all that follow it. */
export function reachedFrom(id: string, nextOf: (id: string) => string[]): Set<string> {
  const reached = new Set([id])
  // A set is walked through with what is added meanwhile.
  for (const one of reached) for (const next of nextOf(one)) reached.add(next)
  return reached
}

// Every step before those that follow it; there are no circles.
function topological(ids: readonly string[], nextOf: (id: string) => string[]): Map<string, number> {
  const done: string[] = []
  const seen = new Set<string>()
  const visit = (id: string): void => {
    if (seen.has(id)) return
    seen.add(id)
    for (const next of nextOf(id)) visit(next)
    done.push(id)
  }
  for (const id of ids) visit(id)
  return new Map(done.reverse().map((id, at) => [id, at]))
}
