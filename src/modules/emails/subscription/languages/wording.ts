/** The texts of hosted pages and footers in one language; `{project}` stands for the sender’s name and `{email}` for an address. */
export interface Wording {
  /** The direction that the language is written in. */
  direction: 'ltr' | 'rtl'
  /** It ends with `preferences`, which is a link, and a full stop. */
  footer: string
  preferences: string
  unsubscribe: { title: string; question: string; action: string; done: string }
  subscribe: { title: string; question: string; action: string; done: string }
  manage: { title: string; subscribed: string; unsubscribed: string }
  notFound: { title: string; text: string }
  /** Followed by the address that a link leads to. */
  foreignLink: { title: string; text: string }
}
