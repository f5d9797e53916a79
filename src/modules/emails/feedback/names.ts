import { domainName } from '../../../kit/domain-name.ts'

/** What names the email that feedback is about: its id and its project, or the domain of its sender, as a Message-ID has it. */
export type EmailName = { emailId: string } & ({ projectId: string } | { domain: string })

/** The email that a Message-ID names, with or without angle brackets; null for one that is not ours. */
export function readMessageId(text: string): EmailName | null {
  const [, emailId, host] = /^\s*<?(eml_[0-9a-z]{26})@([^\s<>@]{1,255})>?\s*$/i.exec(text) ?? []
  const domain = domainName(host ?? '')
  return emailId && domain ? { emailId: emailId.toLowerCase(), domain } : null
}
