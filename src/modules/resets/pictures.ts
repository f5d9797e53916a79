import { Failure } from '../../kit/errors.ts'
import type { World } from '../../kit/world.ts'
import { stillRunning } from './erase.ts'
import { type ProjectResetJob, projectDeletionQueue, projectPicturesQueue } from './shapes.ts'
import { removePictures } from './steps.ts'

// Then those of other projects have their turn.
const batchesPerJob = 2
const pauseSeconds = 60

/**
 * Removes the pictures of a deleted project, whose other data is removed, in batches, and lets the deletion end. It ends at the first
 * file that the store does not remove, and goes on after a minute. Safe to run again.
 */
export async function erasePictures(world: World, job: ProjectResetJob): Promise<void> {
  try {
    for (let batch = 0; await stillRunning(world, job); batch++) {
      if (batch === batchesPerJob || world.closing.aborted) return world.jobs.enqueue(projectPicturesQueue, job)
      if ((await removePictures(world, job.projectId)) === 0) return world.jobs.enqueue(projectDeletionQueue, job)
    }
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'SERVICE_UNAVAILABLE') throw error
    await world.jobs.enqueueIn(pauseSeconds, projectPicturesQueue, job)
  }
}
