import { z } from 'zod'
import type { Queue } from '../../kit/jobs.ts'

const project = { projectName: z.string() }
const domain = { ...project, domain: z.string() }
const cap = { ...project, category: z.string(), used: z.int(), limit: z.int(), periodEnd: z.string() }

/** What the installation writes to its own users: a kind, and what that mail is about. Paths stand below the public address. */
export const Notice = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('verify-email'), data: z.object({ path: z.string(), hours: z.int() }) }),
  z.object({ kind: z.literal('reset-password'), data: z.object({ path: z.string(), hours: z.int() }) }),
  z.object({ kind: z.literal('password-changed'), data: z.object({}) }),
  z.object({
    kind: z.literal('invitation'),
    data: z.object({ ...project, path: z.string(), role: z.string(), invitedBy: z.string(), days: z.int() }),
  }),
  z.object({ kind: z.literal('member-added'), data: z.object({ ...project, role: z.string(), addedBy: z.string() }) }),
  z.object({ kind: z.literal('domain-verified'), data: z.object(domain) }),
  z.object({ kind: z.literal('domain-unverified'), data: z.object({ ...domain, problem: z.string() }) }),
  z.object({ kind: z.literal('billing-warning'), data: z.object(cap) }),
  z.object({ kind: z.literal('billing-limit-reached'), data: z.object(cap) }),
  z.object({ kind: z.literal('project-suspended'), data: z.object({ ...project, reason: z.string(), detail: z.string() }) }),
  z.object({ kind: z.literal('project-lifted'), data: z.object(project) }),
])
/** What the installation writes to its own users. */
export type Notice = z.output<typeof Notice>

/** A notice on its way to one address; its id makes sure that it is sent once. */
export const NoticeJob = z.object({ id: z.string(), to: z.string(), notice: Notice })
/** A notice on its way to one address. */
export type NoticeJob = z.output<typeof NoticeJob>

/** Notices to users, rendered and sent as mail of the installation itself. */
export const noticeQueue: Queue<NoticeJob> = { name: 'platform-mail', shape: NoticeJob, retries: 10 }
