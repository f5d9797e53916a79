/** How an attempt to hand a mail over ended. */
export type Handover =
  | { kind: 'accepted'; response: string }
  /** The server said no for good (5xx): the sentence it gave. `recipient` is true when it refused the address itself. */
  | { kind: 'refused'; response: string; recipient: boolean }
  /** Not now (4xx, no connection, lost before an answer): try again later. */
  | { kind: 'deferred'; response: string }

/** One mail ready for the wire: envelope and complete MIME bytes. */
export interface Parcel {
  from: string
  to: string[]
  raw: Buffer
}

/** A mail server, spoken to over SMTP. Never throws for what the server says: that is a Handover. */
export interface SmtpTransport {
  send(parcel: Parcel): Promise<Handover>
  close(): Promise<void>
}
