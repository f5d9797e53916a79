import { createSmtpTransport, type Handover } from '../../../kit/mailer.ts'
import { perWorld, type World } from '../../../kit/world.ts'
import { type CapturedParcel, captureMail } from '../inbox/capture.ts'

/** Where mail leaves to. */
export interface Transport {
  /** Whether mails are signed before they are handed over. */
  signs: boolean
  send(parcel: CapturedParcel): Promise<Handover>
  /** Ends idle connections; to be called when nothing is under way. */
  close(): Promise<void>
}

/** The way out of this world: the mail server of EMAIL_TRANSPORT, the mailbox, or nowhere (`null`, for measuring). */
export const transportOf: (world: World) => Transport = perWorld((world) => {
  const { EMAIL_TRANSPORT: kind, SMTP_CONNECTIONS: most } = world.config
  if (world.mailServer) return { signs: true, send: world.mailServer.send, close: world.mailServer.close }
  if (kind === 'capture') return { signs: true, send: (parcel) => captureMail(world, parcel), close: nothing }
  if (kind === 'null') return { signs: false, send: async () => ({ kind: 'accepted', response: 'Dropped' }), close: nothing }
  return { signs: true, ...createSmtpTransport(kind, most) }
})

async function nothing(): Promise<void> {}
