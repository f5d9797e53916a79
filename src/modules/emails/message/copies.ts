import type { Vault } from '../../../kit/vault.ts'
import { nobody } from '../subscription/links.ts'
import type { Recipient } from './content.ts'

/**
 * A vault that signs the links of a copy of an email, to be read by other people than its recipient: they are as long as those of the
 * email and name nobody. Tracked links lead to their targets, nothing is counted, and the links to the pages of the contact are unknown.
 */
export function vaultOfCopies(vault: Vault, { id, contactId }: Pick<Recipient, 'id' | 'contactId'>): Vault {
  const others = new Map([
    [id, nobody.email],
    [contactId, nobody.contact],
  ])
  return {
    ...vault,
    sign: (purpose, payload) =>
      vault.sign(
        purpose,
        payload.map((part) => others.get(part) ?? part),
      ),
  }
}
