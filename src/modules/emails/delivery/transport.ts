import { createSmtpTransport, type Handover, type SmtpPool, type SmtpTransport } from '../../../kit/mailer.ts'
import { createSesTransport, sesReplaces, sesTags } from '../../../kit/ses/transport.ts'
import type { Gate } from '../../../kit/smtp/message.ts'
import type { TakePlan } from '../../../kit/smtp/pool/pool.ts'
import type { TransportProblem } from '../../../kit/transport-problem.ts'
import { perWorld, type World } from '../../../kit/world.ts'
import { captureEmail } from '../mailbox/capture.ts'
import type { RenderedEmail } from '../message/content.ts'
import type { Lane } from '../shapes.ts'

/** Where emails are sent to. */
export interface Transport {
  /** Whether messages are signed before they are sent. */
  signs: boolean
  /** Header fields, in lower case, that it replaces, so that they are not signed. Default: none. */
  replaces?: readonly string[]
  /**
   * Waits for a connection that an email of an account may use. Rejects when the world closes before, and with OwnerSlow, if that is
   * asked for, when the emails of the account take long, which have few connections.
   */
  connect(lane: Lane, account: string, plan?: ConnectPlan): Promise<MailConnection>
  /** How many emails of an account can be under way at the same time, because they take long or SES throttles; Infinity otherwise. */
  maxUnderWay(lane: Lane, account: string): number
  /** Why the transport cannot be used at present; null when it can. */
  check(): Promise<TransportProblem | null>
  /** Closes idle connections; call it when no delivery is under way. */
  close(): Promise<void>
}

/** How a connection is taken: see TakePlan. */
export type ConnectPlan = Pick<TakePlan, 'onlyQuick' | 'patience'>

/** A connection for one email; `release` it when done. */
export interface MailConnection {
  /** Sends an email. Null when it did not leave: `renew` the connection, and decide again whether to send. */
  send(email: RenderedEmail, gate?: Gate): Promise<Handover | null>
  renew(): Promise<void>
  release(): void
}

/** Whether the transport of this process can be used, as of its last use or check; `unknown` before the first one. */
export interface TransportState {
  state: 'ok' | 'unavailable' | 'unknown'
  /** When the state last changed. */
  since: Date
  problem: TransportProblem | null
}

/** The transport of this world, by EMAIL_TRANSPORT: a mail server, Amazon SES, the development mailbox, or none (`null`, for measuring). */
export const transportOf: (world: World) => Transport = perWorld((world) => {
  const transport = open(world)
  return {
    ...transport,
    async connect(lane, account, plan) {
      const connection = await transport.connect(lane, account, plan)
      return {
        renew: () => connection.renew(),
        release: () => connection.release(),
        async send(email, gate) {
          const handover = await connection.send(email, gate)
          if (handover) recordState(world, (handover.kind === 'deferred' && handover.problem) || null)
          return handover
        },
      }
    },
  }
})

/** The state of the transport of this process. */
export function transportState(world: World): TransportState {
  return stateOf(world).current
}

/**
 * Checks whether the transport can be used, unless its last use succeeded. A change of its state is logged once, with
 * advice on what to change, and shown by the metric `postwire_mail_transport_up`.
 *
 * @returns false: there is nothing more to do until the next check
 */
export async function checkTransport(world: World): Promise<false> {
  const { state } = transportState(world)
  if (state === 'ok') return false
  const problem = await transportOf(world).check()
  if (!world.closing.aborted) recordState(world, problem)
  return false
}

function open(world: World): Transport {
  const { transport, EMAIL_TRANSPORT: url, SMTP_CONNECTIONS: maxConnections } = world.config
  const { mailServer } = world
  if (mailServer) return { signs: true, ...mailServer, ...connectTo(world, mailServer) }
  if (transport === 'capture') return { signs: true, ...always((email) => captureEmail(world, email)), check: noProblem, close: nothing }
  if (transport === 'null') return { signs: false, ...always(async () => dropped), check: noProblem, close: nothing }
  if (transport === 'ses') return openSes(world)
  const smtp = createSmtpTransport(url, maxConnections, { closing: world.closing })
  return { signs: true, ...connectTo(world, smtp), check: smtp.check, close: smtp.close }
}

type Connects = Pick<Transport, 'connect' | 'maxUnderWay'>

function connectTo({ closing }: World, server: SmtpTransport | SmtpPool): Connects {
  if (!('connect' in server)) return always((email) => server.send(email))
  return {
    connect: (lane, owner, plan) => server.connect(priorityOf[lane], { ...plan, signal: closing, owner }),
    maxUnderWay: (lane, owner) => server.maxUnderWay({ priority: priorityOf[lane], owner }),
  }
}

function openSes({ config, closing, log }: World): Transport {
  const limited = (perSecond: number): void =>
    log.warn(
      { perSecond },
      'emails: Amazon SES throttles: it has taken about so many emails per second. From now on they leave at the rate that it takes, which is tried again and again; ask Amazon for a higher sending rate or daily quota if that is not enough.',
    )
  const ses = createSesTransport(config, { closing, limited })
  const tagsOf = ({ projectId, emailId }: RenderedEmail) => ({
    [sesTags.project]: projectId,
    ...(emailId !== null && { [sesTags.email]: emailId }),
  })
  return {
    ...{ signs: true, replaces: sesReplaces, check: ses.check, close: ses.close },
    async connect(lane, owner, plan) {
      const { send, ...connection } = await ses.connect(priorityOf[lane], { ...plan, signal: closing, owner })
      return { ...connection, send: (email, gate) => send({ ...email, tags: tagsOf(email) }, gate) }
    },
    maxUnderWay: (lane, owner) => ses.maxUnderWay({ priority: priorityOf[lane], owner }),
  }
}

const priorityOf = { transactional: 'urgent', workflow: 'normal', campaign: 'bulk' } as const satisfies Record<Lane, string>

const dropped: Handover = { kind: 'accepted', response: 'Dropped' }

// Where there are no connections to wait for.
function always(send: MailConnection['send']): Connects {
  return { connect: async () => ({ send, renew: nothing, release: () => undefined }), maxUnderWay: () => Number.POSITIVE_INFINITY }
}

interface StateHolder {
  current: TransportState
  /** When it was last used without a problem. */
  usedAt: number
}

// A server that limits connections refuses some while others work: that is not a change of its state.
const worksForMs = 10_000

const stateOf = perWorld(
  ({ clock }): StateHolder => ({ current: { state: 'unknown', since: clock.now(), problem: null }, usedAt: Number.NEGATIVE_INFINITY }),
)

function recordState(world: World, problem: TransportProblem | null): void {
  const holder = stateOf(world)
  const state = problem ? 'unavailable' : 'ok'
  const before = holder.current.state
  if (!problem) holder.usedAt = performance.now()
  if (before === state || (problem && performance.now() - holder.usedAt < worksForMs)) return
  holder.current = { state, since: world.clock.now(), problem }
  world.metrics.transportUp.set(problem ? 0 : 1)
  if (problem)
    world.log.warn(
      { reason: problem.reason },
      `emails: the mail server cannot be used: ${problem.reason}. ${problem.advice} Emails wait until it can be used again.`,
    )
  else if (before === 'unavailable') world.log.info('emails: the mail server can be used again')
}

async function noProblem(): Promise<null> {
  return null
}

async function nothing(): Promise<void> {}
