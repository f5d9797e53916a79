/** Why a mail server cannot be used at all, and what the operator can do about it. */
export interface TransportProblem {
  /** What went wrong, such as "connect ECONNREFUSED 127.0.0.1:25". */
  reason: string
  /** What to do, in a sentence. */
  advice: string
}

// As OpenSSL writes it: the thread, a code, the library, the function, what went wrong, and where in its source.
const openssl = /(?:[0-9A-F]{1,32}:)?error:[0-9A-F]{1,32}:[^:]*:[^:]*:([^:]+)(?::.*)?/s

/** Why a connection or a session failed, in one line of at most 500 characters: of a message of OpenSSL only what went wrong. */
export function reasonOf(message: string): string {
  const plain = message.replace(openssl, (_, wrong: string) => `TLS could not be begun with the mail server (${wrong})`)
  return plain
    .replace(/[\s\0]+/g, ' ')
    .trim()
    .slice(0, 500)
    .toWellFormed()
}

const certificate = /certificate|self.signed|altnames|unable to verify/i

/** Describes a failed connection or login, with advice for its kind. */
export function transportProblem(reason: string, error: { code?: string; responseCode?: number; message: string }): TransportProblem {
  return { reason, advice: adviceFor(error) }
}

function adviceFor({ code = '', responseCode = 0, message }: { code?: string; responseCode?: number; message: string }): string {
  if (code !== 'ETLS' && responseCode >= 400 && responseCode < 500)
    return 'The mail server is busy, or limits this machine for now; ask its operator if that lasts.'
  if (code === 'EAUTH' || [530, 534, 535, 538].includes(responseCode)) return 'Check user and password in EMAIL_TRANSPORT.'
  if (certificate.test(message))
    return 'Renew the certificate of the mail server, or let this process trust its issuer (NODE_EXTRA_CA_CERTS).'
  if (code === 'ETLS' || /ssl|tls/i.test(message))
    return 'Check whether the port in EMAIL_TRANSPORT expects TLS at once (smtps://) or STARTTLS (smtp://).'
  if (code === 'EDNS' || /ENOTFOUND|EAI_AGAIN/.test(message))
    return 'Check the host name in EMAIL_TRANSPORT and the name servers of this machine.'
  if (responseCode >= 400) return 'Ask the operator of the mail server why it refuses this machine.'
  return 'Check host and port in EMAIL_TRANSPORT, and whether a firewall lets this machine reach them.'
}
