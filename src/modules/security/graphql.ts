import { builder } from '../../kit/builder.ts'
import { enumOf } from '../../kit/zod-input.ts'
import type { Project } from '../projects/shapes.ts'
import { getSecurity } from './security.ts'
import {
  ReputationLevel as LevelShape,
  SuspensionReason as Reasons,
  type ReputationWindow as ReputationWindowShape,
  type Security as SecurityShape,
  type Suspension as SuspensionShape,
} from './shapes.ts'

const Reason = enumOf('SuspensionReason', Reasons, 'Why a project is suspended.', {
  PAYMENT_FAILED: 'An invoice could not be collected; paying it lifts the suspension.',
  EMAIL_REPUTATION: 'Too many hard bounces or complaints.',
  PHISHING_DETECTED: 'Its email was found to be phishing.',
  CARD_VERIFICATION_FAILED: 'The card could not be verified.',
  MANUAL: 'The operator of the installation suspended it.',
})
const Level = enumOf('ReputationLevel', LevelShape, 'How bad a rate is.', {
  healthy: 'Below the warning rate.',
  warning: 'Close to the rate at which the project is suspended.',
  critical: 'The project is suspended, unless the installation only notifies (AUTO_PROJECT_DISABLE=false).',
})

const Window = builder.objectRef<ReputationWindowShape>('ReputationWindow').implement({
  description: 'What happened to the emails of a period.',
  fields: (t) => ({
    total: t.exposeInt('total', { description: 'Emails sent, including those that were refused at once.' }),
    bounces: t.exposeInt('bounces', { description: 'Hard bounces; temporary ones do not count.' }),
    complaints: t.exposeInt('complaints', { description: 'Emails reported as spam.' }),
    bounceRate: t.exposeFloat('bounceRate', { description: 'Hard bounces in percent of the emails sent.' }),
    complaintRate: t.exposeFloat('complaintRate', { description: 'Complaints in percent of the emails sent.' }),
  }),
})

const Status = builder.objectRef<SecurityShape['status']>('ReputationStatus').implement({
  description: 'The emails, bounces and complaints of a project. Nothing is critical below 100 emails.',
  fields: (t) => ({
    isHealthy: t.exposeBoolean('isHealthy', { description: 'Nothing is critical.' }),
    shouldDisable: t.exposeBoolean('shouldDisable', {
      description: 'Something is critical: the next bounce or complaint suspends the project.',
    }),
    twentyFourHour: t.expose('twentyFourHour', { type: Window, description: 'The current hour and the 23 before it.' }),
    sevenDay: t.expose('sevenDay', { type: Window, description: 'The current hour and the 167 before it.' }),
    allTime: t.expose('allTime', {
      type: Window,
      description: 'Since the first email, or since a suspension for bounces or complaints was lifted.',
    }),
    isNewProject: t.exposeBoolean('isNewProject', { description: 'The project is younger than 30 days: absolute limits apply as well.' }),
    violations: t.exposeStringList('violations', { description: 'What is critical, in sentences.' }),
    warnings: t.exposeStringList('warnings', { description: 'What is close to critical, in sentences.' }),
  }),
})

const Levels = builder.objectRef<SecurityShape['levels']>('ReputationLevels').implement({
  description: 'The level of each rate.',
  fields: (t) => ({
    bounce7Day: t.expose('bounce7Day', { type: Level, description: 'Bounces of 7 days: WARNING from 5 %, CRITICAL from 10 %.' }),
    bounceAllTime: t.expose('bounceAllTime', { type: Level, description: 'All bounces: WARNING from 4 %, CRITICAL from 8 %.' }),
    complaint7Day: t.expose('complaint7Day', {
      type: Level,
      description: 'Complaints of 7 days: WARNING from 0.075 %, CRITICAL from 0.15 %.',
    }),
    complaintAllTime: t.expose('complaintAllTime', {
      type: Level,
      description: 'All complaints: WARNING from 0.03 %, CRITICAL from 0.12 %.',
    }),
  }),
})

const Suspension = builder.objectRef<SuspensionShape>('Suspension').implement({
  description: 'A period in which a project could be read but not changed, and sent nothing.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Opaque and unique.' }),
    reason: t.expose('reason', { type: Reason, description: 'Why the project was suspended.' }),
    detail: t.exposeString('detail', { description: 'What happened, in a sentence.' }),
    suspendedAt: t.expose('suspendedAt', { type: 'DateTime', description: 'When it began.' }),
    liftedAt: t.expose('liftedAt', { type: 'DateTime', nullable: true, description: 'When it ended; null while it lasts.' }),
  }),
})

const Security = builder.objectRef<SecurityShape>('Security').implement({
  description: 'The reputation of a project, at most a few seconds old, and its suspensions.',
  fields: (t) => ({
    status: t.expose('status', { type: Status, description: 'The figures.' }),
    levels: t.expose('levels', { type: Levels, description: 'How bad each rate is.' }),
    isDisabled: t.exposeBoolean('isDisabled', { description: 'Whether the project is suspended.' }),
    recentSuspensions: t.expose('recentSuspensions', {
      type: [Suspension],
      description: 'The last 20, newest first.',
      extensions: { maxItems: 20 },
    }),
  }),
})

builder.objectFields('Project', (t) => ({
  disabledReason: t.field({
    type: Reason,
    nullable: true,
    description: 'Why it is suspended; null when it is not.',
    resolve: (project) => Reasons.safeParse((project as Project).disabledReason).data ?? null,
  }),
  security: t.field({
    type: Security,
    description: 'Bounce and complaint rates, and recent suspensions.',
    access: { who: 'secret', project: ({ id }) => id },
    resolve: ({ id }, _args, ctx) => getSecurity(ctx, { id }),
  }),
}))
