const plain = 'Content-Type: text/plain\r\n\r\nThis is what happened to your email.\r\n'

type Fields = Record<string, string | null>

/** A delivery status notification (RFC 3464) about one recipient; fields that are null are left out. */
export function dsn(fields: Fields = {}, original = 'Message-ID: <x@demo.test>\r\n'): Buffer {
  return dsnOf([fields], original)
}

/** The same about several recipients. */
export function dsnOf(groups: Fields[], original = 'Message-ID: <x@demo.test>\r\n'): Buffer {
  const shown = groups.map((fields) =>
    Object.entries({ ...usual, ...fields }).flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}\r\n`])),
  )
  return report(
    'delivery-status',
    `Reporting-MTA: dns; mx.example.com\r\n\r\n${shown.map((group) => group.join('')).join('\r\n')}`,
    original,
  )
}

const usual: Fields = {
  'Final-Recipient': 'rfc822; ada@example.com',
  Action: 'failed',
  Status: '5.1.1',
  'Diagnostic-Code': 'smtp; 550 5.1.1 User unknown',
}

/** A report of abuse (RFC 5965). */
export function abuseReport(type = 'abuse', recipient = 'ada@example.com'): Buffer {
  const fields = `Feedback-Type: ${type}\r\nUser-Agent: Test/1\r\nVersion: 1\r\nOriginal-Rcpt-To: <${recipient}>\r\n`
  return report('feedback-report', fields, 'Message-ID: <x@demo.test>\r\n')
}

function report(type: string, fields: string, original: string): Buffer {
  const parts = [plain, `Content-Type: message/${type}\r\n\r\n${fields}`, `Content-Type: message/rfc822\r\n\r\n${original}\r\n`]
  const head = `From: <mailer-daemon@example.com>\r\nSubject: Report\r\nMIME-Version: 1.0\r\nContent-Type: multipart/report; report-type=${type}; boundary=b\r\n`
  return Buffer.from(`${head}\r\n${parts.map((part) => `--b\r\n${part}`).join('\r\n')}\r\n--b--\r\n`)
}
