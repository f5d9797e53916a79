import type { World } from '../../../kit/world.ts'

/** The addresses of a contact's subscription pages. */
export interface ContactLinks {
  unsubscribeUrl: string
  subscribeUrl: string
  manageUrl: string
}

/** The contact a link was made for, and the email it is in. */
export interface LinkSubject {
  projectId: string
  contactId: string
  emailId: string | null
  /** The address that the email was sent to, which the link is about, also once the contact and the email are gone. */
  address?: string | undefined
}

/** Ids of nobody, as long as those of an email and of a contact: copies of an email that other people read have them in their links. */
export const nobody = { email: `eml_${'0'.repeat(26)}`, contact: `cnt_${'0'.repeat(26)}` }

const purpose = 'contact page'

/** Signed links to the pages of a contact: whoever has one may change this subscription and nothing else. The address in it is hidden. */
export function contactLinks({ vault, publicUrl }: Pick<World, 'vault' | 'publicUrl'>, subject: LinkSubject): ContactLinks {
  const { projectId, contactId, emailId, address } = subject
  const hidden = emailId && address ? [vault.mask(purpose, nonceOf(projectId, emailId), Buffer.from(address)).toString('base64url')] : []
  const token = vault.sign(purpose, emailId ? [projectId, contactId, emailId, ...hidden] : [projectId, contactId])
  return {
    unsubscribeUrl: `${publicUrl}/unsubscribe/${token}`,
    subscribeUrl: `${publicUrl}/subscribe/${token}`,
    manageUrl: `${publicUrl}/manage/${token}`,
  }
}

// An email is sent to one address.
const nonceOf = (projectId: string, emailId: string): string => `${projectId} ${emailId}`

/** The subject of a token made by contactLinks, or null when it is forged, or of nobody. Those of an earlier version have no address. */
export function readContactToken({ vault }: Pick<World, 'vault'>, token: string): LinkSubject | null {
  const [projectId, contactId, emailId, hidden] = vault.verify(purpose, token) ?? []
  if (!projectId || !contactId || contactId === nobody.contact) return null
  if (!emailId || !hidden) return { projectId, contactId, emailId: emailId ?? null }
  const address = vault.mask(purpose, nonceOf(projectId, emailId), Buffer.from(hidden, 'base64url')).toString()
  return { projectId, contactId, emailId, address }
}
