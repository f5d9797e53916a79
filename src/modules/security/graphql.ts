import { builder } from '../../kit/builder.ts'
import { enumOf } from '../../kit/zod-input.ts'
import { getSecurity } from './security.ts'
import {
  ReputationLevel as LevelShape,
  SuspensionReason as ReasonShape,
  type ReputationWindow as ReputationWindowShape,
  type Security as SecurityShape,
  type Suspension as SuspensionShape,
} from './shapes.ts'

const Reason = enumOf('SuspensionReason', ReasonShape, 'Why a project is suspended.', {
  PAYMENT_FAILED: 'An invoice could not be collected; paying it lifts the suspension.',
  EMAIL_REPUTATION: 'Too many hard bounces or complaints.',
  PHISHING_DETECTED: 'Its mail was found to be phishing.',
  CARD_VERIFICATION_FAILED: 'The card could not be verified.',
  MANUAL: 'The operator of the installation suspended it.',
})
const Level = enumOf('ReputationLevel', LevelShape, 'How bad a rate is.', {
  healthy: 'Nothing to do.',
  warning: 'It comes near the point at which the project is suspended.',
  critical: 'The project is suspended for it.',
})

const Window = builder.objectRef<ReputationWindowShape>('ReputationWindow').implement({
  description: 'What happened to the mails of a window of time.',
  fields: (t) => ({
    total: t.exposeInt('total', { description: 'Mails sent, those that were refused at once included.' }),
    bounces: t.exposeInt('bounces', { description: 'Hard bounces; temporary ones do not count.' }),
    complaints: t.exposeInt('complaints', { description: 'Mails reported as spam.' }),
    bounceRate: t.exposeFloat('bounceRate', { description: 'Hard bounces in percent of the mails sent.' }),
    complaintRate: t.exposeFloat('complaintRate', { description: 'Complaints in percent of the mails sent.' }),
  }),
})

const Status = builder.objectRef<SecurityShape['status']>('ReputationStatus').implement({
  description: 'The mails of a project and what is held against it; nothing below 100 mails.',
  fields: (t) => ({
    isHealthy: t.exposeBoolean('isHealthy', { description: 'Nothing is critical.' }),
    shouldDisable: t.exposeBoolean('shouldDisable', { description: 'Something is critical: its next move suspends the project.' }),
    twentyFourHour: t.expose('twentyFourHour', { type: Window, description: 'The present hour and the 23 before it.' }),
    sevenDay: t.expose('sevenDay', { type: Window, description: 'The present hour and the 167 before it.' }),
    allTime: t.expose('allTime', {
      type: Window,
      description: 'Since the first mail, or since a suspension for bounces or complaints was lifted.',
    }),
    isNewProject: t.exposeBoolean('isNewProject', { description: 'Younger than 30 days: absolute ceilings hold as well.' }),
    violations: t.exposeStringList('violations', { description: 'What is critical, in sentences.' }),
    warnings: t.exposeStringList('warnings', { description: 'What comes near it, in sentences.' }),
  }),
})

const Levels = builder.objectRef<SecurityShape['levels']>('ReputationLevels').implement({
  description: 'How bad each rate is.',
  fields: (t) => ({
    bounce7Day: t.expose('bounce7Day', { type: Level, description: 'Bounces of 7 days: warning from 5 %, critical from 10 % on.' }),
    bounceAllTime: t.expose('bounceAllTime', { type: Level, description: 'All bounces: warning from 4 %, critical from 8 % on.' }),
    complaint7Day: t.expose('complaint7Day', {
      type: Level,
      description: 'Complaints of 7 days: warning from 0.075 %, critical from 0.15 % on.',
    }),
    complaintAllTime: t.expose('complaintAllTime', {
      type: Level,
      description: 'All complaints: warning from 0.03 %, critical from 0.12 % on.',
    }),
  }),
})

const Suspension = builder.objectRef<SuspensionShape>('Suspension').implement({
  description: 'A time in which a project could be read but not changed, and sent nothing.',
  fields: (t) => ({
    id: t.exposeID('id'),
    reason: t.expose('reason', { type: Reason, description: 'Why.' }),
    detail: t.exposeString('detail', { description: 'What happened, in a sentence.' }),
    suspendedAt: t.expose('suspendedAt', { type: 'DateTime', description: 'From when on.' }),
    liftedAt: t.expose('liftedAt', { type: 'DateTime', nullable: true, description: 'Until when; null while it holds.' }),
  }),
})

const Security = builder.objectRef<SecurityShape>('Security').implement({
  description: 'The reputation of a project, at most a few seconds old, and its suspensions.',
  fields: (t) => ({
    status: t.expose('status', { type: Status, description: 'The numbers.' }),
    levels: t.expose('levels', { type: Levels, description: 'What they mean.' }),
    isDisabled: t.exposeBoolean('isDisabled', { description: 'The project is suspended at present.' }),
    recentSuspensions: t.expose('recentSuspensions', { type: [Suspension], description: 'The last 20, newest first.' }),
  }),
})

builder.objectFields('Project', (t) => ({
  security: t.field({
    type: Security,
    description: 'Bounce and complaint rates, and recent suspensions.',
    access: { who: 'secret', project: ({ id }) => id },
    resolve: ({ id }, _args, ctx) => getSecurity(ctx, { id }),
  }),
}))
