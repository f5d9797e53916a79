import type { DkimSigningAttributes, SESv2Client } from '@aws-sdk/client-sesv2'
import { openClient, type SesConfig, type SesError, sdk, textOf } from './client.ts'

/** A domain and the DKIM key that its DNS has. */
export interface SenderDomain {
  domain: string
  selector: string
  privatePem: string
}

/**
 * Whether SES sends email from a domain. `pending`: it looks for the key in DNS by itself, usually for some minutes;
 * `unmanaged`: our key may not manage domains there, so that the operator does; `unknown`: SES could not be asked.
 */
export type Admission = { kind: 'verified' } | { kind: 'pending' } | { kind: 'unmanaged' } | { kind: 'unknown'; reason: string }

/** The domains that Amazon SES sends email from: one that is not verified there is refused with each of its emails. */
export interface SesIdentities {
  /**
   * Registers a domain with SES, unless it is verified there, with the key that its DNS has (Bring Your Own DKIM), so that the
   * same record verifies it in SES: call it once DNS has the key. Never throws.
   */
  admit(domain: SenderDomain): Promise<Admission>
  /**
   * Lets SES use a host of a registered domain as the return path of its emails (a custom MAIL FROM domain), unless it uses one of its
   * domain already: call it once DNS has the MX record of the host. As long as SES cannot use it, it uses a host of its own. Never throws.
   */
  useReturnPath(path: ReturnPath): Promise<Admission>
}

/** A domain, and the host that its bounces go to. */
export interface ReturnPath {
  domain: string
  host: string
}

const timeoutMs = 3_000
// SES answers about one such call per second.
const maxAttempts = 3

/** The domains of the account of the SES_… settings; `closing` is aborted when this process begins to end. */
export function createSesIdentities(config: SesConfig, closing: AbortSignal): SesIdentities {
  let opening: Promise<SESv2Client> | undefined
  async function ask(call: (ses: SESv2Client, abortSignal: AbortSignal) => Promise<Admission>): Promise<Admission> {
    const abortSignal = AbortSignal.any([closing, AbortSignal.timeout(timeoutMs)])
    try {
      opening ??= openClient(config, { maxAttempts })
      return await call(await opening, abortSignal)
    } catch (error) {
      return admissionOf(error as SesError)
    }
  }
  return {
    admit: (domain) => ask((ses, abortSignal) => register(ses, domain, abortSignal)),
    useReturnPath: (path) => ask((ses, abortSignal) => setReturnPath(ses, path, abortSignal)),
  }
}

async function setReturnPath(ses: SESv2Client, { domain, host }: ReturnPath, abortSignal: AbortSignal): Promise<Admission> {
  const { GetEmailIdentityCommand, PutEmailIdentityMailFromAttributesCommand } = await sdk()
  const options = { abortSignal }
  const { MailFromAttributes } = await ses.send(new GetEmailIdentityCommand({ EmailIdentity: domain }), options)
  const { MailFromDomain, MailFromDomainStatus } = MailFromAttributes ?? {}
  // Perhaps one that the operator has chosen.
  if (MailFromDomainStatus === 'SUCCESS') return { kind: 'verified' }
  // SES gives up looking after three days.
  if (MailFromDomain !== host || MailFromDomainStatus === 'FAILED')
    await ses.send(
      new PutEmailIdentityMailFromAttributesCommand({
        EmailIdentity: domain,
        MailFromDomain: host,
        BehaviorOnMxFailure: 'USE_DEFAULT_VALUE',
      }),
      options,
    )
  return { kind: 'pending' }
}

async function register(ses: SESv2Client, { domain, selector, privatePem }: SenderDomain, abortSignal: AbortSignal): Promise<Admission> {
  const { CreateEmailIdentityCommand, GetEmailIdentityCommand, PutEmailIdentityDkimSigningAttributesCommand } = await sdk()
  const options = { abortSignal }
  const found = await ses.send(new GetEmailIdentityCommand({ EmailIdentity: domain }), options).catch((error: SesError) => {
    if (error.name === 'NotFoundException') return null
    throw error
  })
  if (found?.VerifiedForSendingStatus) return { kind: 'verified' }
  const key: DkimSigningAttributes = { DomainSigningSelector: selector, DomainSigningPrivateKey: bareKey(privatePem) }
  if (!found) {
    const { VerifiedForSendingStatus } = await ses.send(
      new CreateEmailIdentityCommand({ EmailIdentity: domain, DkimSigningAttributes: key }),
      options,
    )
    return { kind: VerifiedForSendingStatus ? 'verified' : 'pending' }
  }
  // Another key, or SES has given up looking after three days.
  const { Tokens = [], Status } = found.DkimAttributes ?? {}
  if (!Tokens.includes(selector) || Status === 'FAILED')
    await ses.send(
      new PutEmailIdentityDkimSigningAttributesCommand({
        EmailIdentity: domain,
        SigningAttributesOrigin: 'EXTERNAL',
        SigningAttributes: key,
      }),
      options,
    )
  return { kind: 'pending' }
}

// As SES takes it: the base64 of the PEM, without its first and last line.
function bareKey(pem: string): string {
  return pem.replace(/-----[^-]+-----|\s/g, '')
}

function admissionOf(error: SesError): Admission {
  if (error.name === 'AccessDeniedException') return { kind: 'unmanaged' }
  // Another process has just registered it.
  if (error.name === 'AlreadyExistsException') return { kind: 'pending' }
  // It is registered once DNS has its key.
  if (error.name === 'NotFoundException') return { kind: 'pending' }
  return { kind: 'unknown', reason: textOf(error) }
}
