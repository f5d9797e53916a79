import type { World } from '../../kit/world.ts'
import { eraseAccount, eraseSomeReports, eraseSomeUsage } from '../billing/sql.ts'
import { eraseSomeContacts, eraseSomeFields } from '../contacts/sql.ts'
import { eraseSomeDomains } from '../domains/sql.ts'
import { eraseSomeContents } from '../emails/erase-all.ts'
import { eraseSendBucket, eraseSomeCaptured, eraseSomeEmails } from '../emails/sql.ts'
import { eraseEventCounts } from '../events/erase-all.ts'
import { eraseSomeSetAside } from '../events/reader/sql.ts'
import { eraseSomeEvents } from '../events/sql.ts'
import { eraseSomeAnswers } from '../idempotency/sql.ts'
import { eraseReputation, eraseSomeHours, eraseSomeSuspensions } from '../security/sql.ts'
import { eraseSomeSuppressions } from '../suppressions/sql.ts'
import { eraseSomeTemplates } from '../templates/sql.ts'
import { eraseSomeUploads } from '../uploads/erase-all.ts'

/** Removes one batch of something in a project and answers how much it was; again until it answers 0. */
export type EraseStep = (world: World, projectId: string) => Promise<number>

/** What a reset removes, in this order: what points at something goes before it. */
export const resetSteps: EraseStep[] = [
  ({ db }, projectId) => eraseSomeEmails(db, projectId),
  ({ db }, projectId) => eraseSomeContents(db, projectId),
  ({ db }, projectId) => eraseSomeCaptured(db, projectId),
  ({ db }, projectId) => eraseSomeEvents(db, projectId),
  eraseEventCounts,
  ({ db }, projectId) => eraseSomeSetAside(db, projectId),
  ({ db }, projectId) => eraseSomeContacts(db, projectId),
  ({ db }, projectId) => eraseSomeFields(db, projectId),
  ({ db }, projectId) => eraseSomeTemplates(db, projectId),
  ({ db }, projectId) => eraseSomeSuppressions(db, projectId),
  ({ db }, projectId) => eraseSomeAnswers(db, projectId),
]

/**
 * What a deletion removes: all of that, and what a reset keeps. Caps, usage and reputation outlive a reset, so that none
 * can be washed off by one; pictures do, because mails that have left show them.
 */
export const deleteSteps: EraseStep[] = [
  ...resetSteps,
  eraseSomeUploads,
  ({ db }, projectId) => eraseSomeDomains(db, projectId),
  ({ db }, projectId) => eraseSendBucket(db, projectId),
  ({ db }, projectId) => eraseSomeReports(db, projectId),
  ({ db }, projectId) => eraseSomeUsage(db, projectId),
  ({ db }, projectId) => eraseAccount(db, projectId),
  ({ db }, projectId) => eraseSomeHours(db, projectId),
  ({ db }, projectId) => eraseSomeSuspensions(db, projectId),
  ({ db }, projectId) => eraseReputation(db, projectId),
]
