import type { World } from '../../kit/world.ts'
import { continueReset, resumeResets } from './erase.ts'
import { erasePictures } from './pictures.ts'
import { projectDeletionQueue, projectPicturesQueue, projectResetQueue } from './shapes.ts'

/** The queues of this module. */
export const queues = [projectResetQueue, projectDeletionQueue, projectPicturesQueue]

/** Starts the workers that reset and delete projects, and those that resume resets of crashed workers. */
export async function startJobs(world: World): Promise<void> {
  await world.jobs.work(projectResetQueue, (job) => continueReset(world, job))
  await world.jobs.work(projectDeletionQueue, (job) => continueReset(world, job))
  await world.jobs.work(projectPicturesQueue, (job) => erasePictures(world, job))
  await world.jobs.every('project-resets-resume', '* * * * *', () => resumeResets(world))
}
