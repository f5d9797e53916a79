import { createHash } from 'node:crypto'
import { newId } from '../../../kit/ids.ts'
import type { Transaction } from '../../../kit/postgres/db.ts'
import { recent } from '../../../kit/recent.ts'
import { perWorld, type World } from '../../../kit/world.ts'
import { type ContentDraft, contentRow, wakeDelivery } from './accept.ts'
import { acceptOfExecution, acceptWithContent } from './sql.ts'

/** An email that an execution of a workflow sends to its contact. */
export interface ExecutionEmail {
  projectId: string
  contactId: string
  executionId: string
  /** Another address than that of the contact. */
  to: string | null
  content: ContentDraft
}

/**
 * Accepts an email of an execution in its transaction, in the lane of workflows: it leaves if and only if that commits. The caller has
 * charged it. A content that this process has stored for the contact within the last hour is not stored again. Returns null when the
 * contact was deleted.
 */
export async function acceptExecutionEmail(
  tx: Transaction,
  world: World,
  { projectId, contactId, executionId, to, content }: ExecutionEmail,
): Promise<{ emailId: string; toAddress: string } | null> {
  const at = world.clock.now()
  const emailId = newId('email', at)
  const digest = digestOf([projectId, contactId], content)
  const accept = async (by: typeof acceptOfExecution, stored: string) =>
    (await tx.run(by, [projectId, contactId, emailId, stored, executionId, to, at]))[0]
  const sameId = storedContents(world).get(digest)
  const again = sameId === undefined ? undefined : await accept(acceptWithContent, sameId)
  const contentId = newId('content', at)
  const accepted = again ?? (await accept(acceptOfExecution, JSON.stringify([contentRow(content, { projectId, id: contentId, at })])))
  if (!accepted) return null
  tx.afterCommit(() => {
    if (!again) storedContents(world).set(digest, contentId)
    wakeDelivery(world)
  })
  return { emailId, ...accepted }
}

const maxStored = 10_000
const storedMs = 60 * 60_000

// The contents that this process has stored lately, of each contact: a template of megabytes is stored once for an execution with many
// such steps. Not for ever, so that contents can be removed by their age; and not for several contacts, so that whoever removes the
// content of a contact that is deleted meets no email of another one.
const storedContents = perWorld(({ clock }) => recent<string, string>({ max: maxStored, ttlMs: storedMs, clock }))

function digestOf(owner: string[], { html, text, attachments: _, ...others }: ContentDraft): string {
  const hash = createHash('sha256').update(JSON.stringify([owner, html.length, others]))
  return hash
    .update(html)
    .update(`\0${text ?? ''}`)
    .digest('base64')
}
