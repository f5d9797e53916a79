import { z } from 'zod'

/** A place in a walk over the rows of all projects: in a project, after an id. */
export const Place = z.object({ projectId: z.string(), after: z.string() })
/** A place in a walk over the rows of all projects. */
export type Place = z.output<typeof Place>

/** Before the first row of the first project. */
export const beginning: Place = { projectId: '', after: '' }

/** How a walk finds projects and works through one. */
export interface Walk {
  /** The next project after one that has something to look at, or undefined at the end. */
  findNext(projectId: string): Promise<string | undefined>
  /** Works on one batch of a project after an id; returns the id to continue after, or null when the project is done. */
  step(projectId: string, after: string): Promise<string | null>
  /** Maximum number of steps, so that a job ends before the queue gives it to another worker. */
  maxSteps: number
}

/** Works through all projects in batches, from a place on. Returns where to continue, or null when everything is done. */
export async function walkProjects(from: Place, { findNext, step, maxSteps }: Walk, closing: AbortSignal): Promise<Place | null> {
  let { projectId, after } = from
  let steps = 0
  while (!closing.aborted && steps < maxSteps) {
    const next = projectId === '' ? null : await step(projectId, after)
    steps++
    if (next !== null) {
      after = next
      continue
    }
    const following = await findNext(projectId)
    if (following === undefined) return null
    projectId = following
    after = ''
  }
  return { projectId, after }
}
