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
}

const purpose = 'contact page'

/** Signed links to the pages of a contact: whoever has one may change this subscription and nothing else. */
export function contactLinks(
  { vault, publicUrl }: Pick<World, 'vault' | 'publicUrl'>,
  { projectId, contactId, emailId }: LinkSubject,
): ContactLinks {
  const token = vault.sign(purpose, emailId ? [projectId, contactId, emailId] : [projectId, contactId])
  return {
    unsubscribeUrl: `${publicUrl}/unsubscribe/${token}`,
    subscribeUrl: `${publicUrl}/subscribe/${token}`,
    manageUrl: `${publicUrl}/manage/${token}`,
  }
}

/** The subject of a token made by contactLinks, or null when it is forged. */
export function readContactToken({ vault }: Pick<World, 'vault'>, token: string): LinkSubject | null {
  const [projectId, contactId, emailId] = vault.verify(purpose, token) ?? []
  return projectId && contactId ? { projectId, contactId, emailId: emailId ?? null } : null
}
