import type { World } from '../../../kit/world.ts'

/** The pages of a contact, as a mail links to them. */
export interface ContactLinks {
  unsubscribeUrl: string
  subscribeUrl: string
  manageUrl: string
}

/** Who a page link was made for, and the mail it stood in. */
export interface LinkHolder {
  projectId: string
  contactId: string
  emailId: string | null
}

const purpose = 'contact page'

/** Signed links to the pages of a contact: whoever holds one may change this subscription, nothing else. */
export function contactLinks(
  { vault, publicUrl }: Pick<World, 'vault' | 'publicUrl'>,
  { projectId, contactId, emailId }: LinkHolder,
): ContactLinks {
  const token = vault.sign(purpose, emailId ? [projectId, contactId, emailId] : [projectId, contactId])
  return {
    unsubscribeUrl: `${publicUrl}/unsubscribe/${token}`,
    subscribeUrl: `${publicUrl}/subscribe/${token}`,
    manageUrl: `${publicUrl}/manage/${token}`,
  }
}

/** Whom a token of contactLinks names, or null when it is forged. */
export function readContactToken({ vault }: Pick<World, 'vault'>, token: string): LinkHolder | null {
  const [projectId, contactId, emailId] = vault.verify(purpose, token) ?? []
  return projectId && contactId ? { projectId, contactId, emailId: emailId ?? null } : null
}
