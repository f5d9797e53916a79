import { z } from 'zod'
import type { Queue } from '../../kit/jobs.ts'

const project = { projectName: z.string() }
const domain = { ...project, domain: z.string() }
const cap = { ...project, category: z.string(), used: z.int(), limit: z.int(), periodEnd: z.string() }

/** An email of the installation to one of its users: its kind and data. A `path` is relative to the public address. */
export const Notification = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('verify-email'), data: z.object({ path: z.string(), hours: z.int() }) }),
  z.object({ kind: z.literal('reset-password'), data: z.object({ path: z.string(), hours: z.int() }) }),
  z.object({ kind: z.literal('password-changed'), data: z.object({}) }),
  z.object({ kind: z.literal('keys-replaced'), data: z.object({ projects: z.int(), members: z.int() }) }),
  z.object({
    kind: z.literal('invitation'),
    data: z.object({ ...project, path: z.string(), role: z.string(), invitedBy: z.string(), days: z.int() }),
  }),
  z.object({ kind: z.literal('domain-verified'), data: z.object(domain) }),
  z.object({ kind: z.literal('domain-unverified'), data: z.object({ ...domain, problem: z.string() }) }),
  z.object({ kind: z.literal('billing-warning'), data: z.object(cap) }),
  z.object({ kind: z.literal('billing-limit-reached'), data: z.object(cap) }),
  z.object({ kind: z.literal('project-suspended'), data: z.object({ ...project, reason: z.string(), detail: z.string() }) }),
  z.object({ kind: z.literal('project-lifted'), data: z.object(project) }),
])
/** An email of the installation to one of its users. */
export type Notification = z.output<typeof Notification>

/** A notification to send to one address; its id ensures that it is sent once. */
export const NotificationJob = z.object({ id: z.string(), to: z.string(), notification: Notification })
/** A notification to send to one address. */
export type NotificationJob = z.output<typeof NotificationJob>

/** Notifications to users, which the platform's own project sends as emails. */
export const notificationQueue: Queue<NotificationJob> = { name: 'platform-mail', shape: NotificationJob, retries: 10 }
