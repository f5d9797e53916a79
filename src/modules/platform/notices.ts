import { homeOf } from '../../kit/home.ts'
import type { World } from '../../kit/world.ts'
import { sendEmail } from '../emails/accept/send.ts'
import { SendDraft } from '../emails/accept/shapes.ts'
import type { Notice, NoticeJob } from '../notifications/shapes.ts'
import { enterPlatform, senderOf } from './project.ts'
import { mailHtml, mailText } from './views/mail.ts'
import { wordsOf } from './views/words.ts'

/**
 * Sends a notice to a user as mail of the installation: once a notice, however often its job runs. Neither opens nor links
 * are tracked, as the links hold secrets, and nothing of it stays with the contact.
 */
export async function sendNotice(world: World, { id, to, notice }: NoticeJob): Promise<void> {
  const platform = await enterPlatform(world)
  const words = wordsOf[notice.kind]
  const draft = SendDraft.parse({
    to,
    from: senderOf(world),
    subject: words.subject,
    body: mailHtml(words),
    text: mailText(words),
    data: passing({ ...notice.data, url: addressOf(world, notice) }),
    tracking: false,
    tags: [notice.kind],
  })
  await sendEmail({ ...platform, requestId: id, idempotency: { key: id, fingerprint: id } }, draft).catch((error: unknown) => {
    world.log.error(
      { err: error, notice: id, kind: notice.kind },
      'platform: a mail of the installation could not be sent, tried again later',
    )
    throw error
  })
}

function addressOf(world: World, { data }: Notice): string {
  return 'path' in data ? world.publicUrl + data.path : homeOf(world)
}

// For this mail only: a link must not become a field of the contact.
function passing(data: Record<string, string | number>): Record<string, { value: string | number; persistent: false }> {
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, { value, persistent: false as const }]))
}
