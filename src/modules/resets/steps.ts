import { analyticsReader } from '../analytics/count.ts'
import { eraseSomeQuarters } from '../analytics/sql.ts'
import { eraseBillingAccount, eraseSomeDeferrals, eraseSomeReports, eraseSomeUsage } from '../billing/sql.ts'
import { campaignReader } from '../campaigns/counts/count.ts'
import { linkReader } from '../campaigns/counts/links.ts'
import { settleLeft } from '../campaigns/sending/settle.ts'
import { eraseSomeCampaigns, eraseSomeCounts, eraseSomeExclusions, eraseSomeLinks } from '../campaigns/sql.ts'
import { eraseSomeContacts } from '../contacts/erasure/erase.ts'
import { eraseContactCounts } from '../contacts/erasure/sql.ts'
import { eraseFieldCount, eraseSomeFields } from '../contacts/fields/sql.ts'
import { eraseSomeDomains } from '../domains/sql.ts'
import { eraseSomeContents, eraseSomeEmails, eraseSomeWaiting } from '../emails/erasure/erase.ts'
import { eraseSomeRemovedEmails } from '../emails/feedback/sql.ts'
import { eraseEmailCounts, eraseSendBucket, eraseSomeCaptured, eraseSomeDeliveries } from '../emails/sql.ts'
import { eraseEventCounts, eraseSomeEvents } from '../events/erasure/erase.ts'
import { behindReader } from '../events/reader/reader.ts'
import { eraseSomeSetAside } from '../events/reader/sql.ts'
import { eraseSomeContactEvents } from '../events/summary/erase.ts'
import { eraseSomeRemovals } from '../filters/removals/sql.ts'
import { eraseSomeAnswers } from '../idempotency/sql.ts'
import { eraseSomeJobFiles, eraseSomeJobs } from '../jobs/sql.ts'
import { reputationReader } from '../security/count.ts'
import { eraseReputation, eraseSomeHours, eraseSomeSuspensions } from '../security/sql.ts'
import { eraseSomeMembers } from '../segments/members/sql.ts'
import { eraseSomeSegments } from '../segments/sql.ts'
import { eraseSomeOptOuts, eraseSomeSuppressions } from '../suppressions/sql.ts'
import { eraseSomeTemplates } from '../templates/sql.ts'
import { eraseSomeTemplateVersions } from '../templates/versions/sql.ts'
import { eraseSomeUploads } from '../uploads/erase.ts'
import { eraseSomeInputs } from '../workflows/executions/inputs/sql.ts'
import { eraseBacklog, eraseSomeLines } from '../workflows/lines/sql.ts'
import { eraseSomeEntries, eraseSomeExecutions, eraseSomeStepCounts, eraseSomeWorkflows } from '../workflows/sql.ts'
import { triggerReader } from '../workflows/triggers/triggers.ts'
import type { ErasingWorld } from './fence.ts'

/** Removes one batch of one kind of data of a project and returns how many rows; call it until it returns 0. */
export type EraseStep = (world: ErasingWorld, projectId: string) => Promise<number>

/** What is removed before a reset waits for what is being sent. A worker would claim it, and what is claimed counts as what may have left. */
export const unsentSteps: EraseStep[] = [eraseSomeWaiting]

/** What a reset removes, in this order: rows before those they refer to. */
export const resetSteps: EraseStep[] = [
  // Jobs that run would add what the next steps remove.
  ({ db }, projectId) => eraseSomeJobs(db, projectId),
  ({ db }, projectId) => eraseSomeJobFiles(db, projectId),
  // Before what shows whether anything of them has left.
  settleLeft,
  // Before their recipients, so that no worker goes on with them.
  ({ db }, projectId) => eraseSomeCampaigns(db, projectId),
  // After the campaigns, which could still be given back. Nothing of these has left, so that they are not billed; what they used stays.
  ({ db }, projectId) => eraseSomeDeferrals(db, projectId),
  ({ db }, projectId) => eraseSomeExclusions(db, projectId),
  behindReader(campaignReader, eraseSomeCounts),
  behindReader(linkReader, eraseSomeLinks),
  // Before their executions, so that none starts meanwhile, and before the templates of their steps.
  ({ db }, projectId) => eraseSomeWorkflows(db, projectId),
  ({ db }, projectId) => eraseSomeExecutions(db, projectId),
  ({ db }, projectId) => eraseSomeInputs(db, projectId),
  behindReader(triggerReader, eraseSomeLines),
  behindReader(triggerReader, eraseBacklog),
  ({ db }, projectId) => eraseSomeEntries(db, projectId),
  ({ db }, projectId) => eraseSomeStepCounts(db, projectId),
  eraseSomeEmails,
  ({ db }, projectId) => eraseSomeDeliveries(db, projectId),
  ({ db }, projectId) => eraseEmailCounts(db, projectId),
  ({ db }, projectId) => eraseSomeContents(db, projectId),
  ({ db }, projectId) => eraseSomeCaptured(db, projectId),
  eraseSomeEvents,
  eraseEventCounts,
  eraseSomeContactEvents,
  behindReader(analyticsReader, eraseSomeQuarters),
  ({ db }, projectId) => eraseSomeSetAside(db, projectId),
  // Before their members, so that no segment ever shows another count than it has members.
  ({ db }, projectId) => eraseSomeSegments(db, projectId),
  ({ db }, projectId) => eraseSomeMembers(db, projectId),
  ({ db }, projectId) => eraseSomeContacts(db, projectId),
  ({ db }, projectId) => eraseContactCounts(db, projectId),
  ({ db }, projectId) => eraseSomeFields(db, projectId),
  ({ db }, projectId) => eraseFieldCount(db, projectId),
  ({ db }, projectId) => eraseSomeRemovals(db, projectId),
  ({ db }, projectId) => eraseSomeTemplateVersions(db, projectId),
  ({ db }, projectId) => eraseSomeTemplates(db, projectId),
  ({ db }, projectId) => eraseSomeSuppressions(db, projectId),
  ({ db }, projectId) => eraseSomeOptOuts(db, projectId),
  ({ db }, projectId) => eraseSomeAnswers(db, projectId),
]

/**
 * What a deletion removes: the same, and what a reset keeps, pictures apart. A reset keeps caps, usage, reputation and what late reports
 * about its emails need, so that it is no way to get rid of them, and pictures, because emails that were sent show them.
 */
export const deleteSteps: EraseStep[] = [
  ...resetSteps,
  ({ db }, projectId) => eraseSomeRemovedEmails(db, projectId),
  ({ db }, projectId) => eraseSomeDomains(db, projectId),
  ({ db }, projectId) => eraseSendBucket(db, projectId),
  ({ db }, projectId) => eraseSomeReports(db, projectId),
  ({ db }, projectId) => eraseSomeUsage(db, projectId),
  ({ db }, projectId) => eraseBillingAccount(db, projectId),
  behindReader(reputationReader, eraseSomeHours),
  ({ db }, projectId) => eraseSomeSuspensions(db, projectId),
  behindReader(reputationReader, eraseReputation),
]

/** What a deletion removes at last, apart from the others: the file store may not respond, or take long. */
export const removePictures = eraseSomeUploads
