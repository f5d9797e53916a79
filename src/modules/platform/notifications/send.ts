import { dashboardUrl } from '../../../kit/dashboard.ts'
import type { World } from '../../../kit/world.ts'
import { sendEmail } from '../../emails/accept/send.ts'
import { SendDraft } from '../../emails/accept/shapes.ts'
import type { Notification, NotificationJob } from '../../notifications/shapes.ts'
import { platformContext, senderOf } from '../project.ts'
import { emailHtml, emailText } from './body.ts'
import { notificationTexts } from './texts.ts'

/**
 * Sends a notification to a user as an email of the installation: once, however often its job runs. Opens and clicks are
 * not tracked, because the links contain secrets, and its data is not stored on the contact.
 */
export async function sendNotification(world: World, { id, to, notification }: NotificationJob): Promise<void> {
  const platform = await platformContext(world)
  const texts = notificationTexts[notification.kind]
  const draft = SendDraft.parse({
    to,
    from: senderOf(world),
    subject: texts.subject,
    body: emailHtml(texts),
    text: emailText(texts),
    data: notPersistent({ ...notification.data, url: addressOf(world, notification) }),
    tracking: false,
    tags: [notification.kind],
  })
  await sendEmail({ ...platform, requestId: id, idempotency: { key: id, fingerprint: id } }, draft).catch((error: unknown) => {
    world.log.error(
      { err: error, notification: id, kind: notification.kind },
      'platform: a notification could not be sent and will be tried again',
    )
    throw error
  })
}

function addressOf(world: World, { data }: Notification): string {
  return 'path' in data ? world.publicUrl + data.path : dashboardUrl(world)
}

// For this email only: a link must not become a field of the contact.
function notPersistent(data: Record<string, string | number>): Record<string, { value: string | number; persistent: false }> {
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, { value, persistent: false as const }]))
}
