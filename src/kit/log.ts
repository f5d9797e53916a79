import { type Logger, pino } from 'pino'

/** The program's log: JSON lines with secrets redacted. */
export type Log = Logger

/** A logger that writes to standard error. Fields named after keys, passwords, cookies and tokens are redacted. */
export function createLog(level: string): Log {
  return pino(
    {
      level,
      base: undefined,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      redact: {
        paths: [
          'authorization',
          'cookie',
          'password',
          'secret',
          'token',
          '*.authorization',
          '*.cookie',
          '*.password',
          '*.secret',
          '*.token',
          'headers.authorization',
          'headers.cookie',
        ],
        censor: '[redacted]',
      },
      serializers: { err: describe },
      formatters: { level: (label) => ({ level: label }) },
    },
    pino.destination({ fd: 2, sync: true }),
  )
}

// Only what describes the error: drivers attach connections, statements, addresses and whole rows (as `detail`) to theirs.
function describe(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { code, constraint } = error as { code?: unknown; constraint?: unknown }
  return {
    type: error.name,
    message: error.message,
    stack: error.stack,
    ...(typeof code === 'string' && { code }),
    ...(typeof constraint === 'string' && { constraint }),
    ...(error.cause !== undefined && { cause: describe(error.cause) }),
  }
}
