import { type Admission, createSesIdentities, type ReturnPath } from '../../../kit/ses/identities.ts'
import { perWorld, type World } from '../../../kit/world.ts'
import type { RecordResult } from './record-checks.ts'

/** The DKIM key of a domain, as it is stored. */
export interface StoredKey {
  domain: string
  dkimSelector: string
  dkimSealed: string
}

/**
 * What the check of a domain's DKIM record comes to where emails are sent with Amazon SES, which refuses those from domains that it
 * does not know: once DNS has the key, the domain is registered there with it, and it is found when SES sends from it as well. Where
 * our key may not manage domains in SES, DNS alone counts, and the operator registers them.
 */
export async function admitToSes(world: World, key: StoredKey, found: RecordResult): Promise<RecordResult> {
  if (found.verdict !== 'found') return found
  const privatePem = world.vault.open('dkim', key.dkimSealed)
  return resultOf(world, found, await identitiesOf(world).admit({ domain: key.domain, selector: key.dkimSelector, privatePem }))
}

/**
 * What the check of the return path of a domain comes to where emails are sent with Amazon SES: once DNS has its MX record, SES is told to
 * use it, and it is found when SES has found it as well. Where our key may not say so, DNS alone counts.
 */
export async function useReturnPathInSes(world: World, path: ReturnPath, found: RecordResult): Promise<RecordResult> {
  if (found.verdict !== 'found') return found
  return resultOf(world, found, await identitiesOf(world).useReturnPath(path))
}

function resultOf(world: World, found: RecordResult, admission: Admission): RecordResult {
  if (admission.kind === 'verified') return found
  if (admission.kind === 'unmanaged') {
    warnOnce(world)
    return found
  }
  const { current } = found
  if (admission.kind === 'pending') return { verdict: 'absent', current, problem: pending }
  return { verdict: 'unknown', current, problem: `Amazon SES could not be asked whether it knows the domain: ${admission.reason}` }
}

const pending = 'The record is right. Amazon SES has to find it as well, which usually takes some minutes; the next check is in 5 minutes.'

const identitiesOf = perWorld(({ config, closing }) => createSesIdentities(config, closing))

const warned = perWorld(() => ({ once: false }))

function warnOnce(world: World): void {
  const state = warned(world)
  if (state.once) return
  state.once = true
  world.log.warn(
    'domains: Amazon SES does not let us manage domains: verify each sender domain there yourself, or allow ses:GetEmailIdentity, ses:CreateEmailIdentity, ses:PutEmailIdentityDkimSigningAttributes and ses:PutEmailIdentityMailFromAttributes',
  )
}
