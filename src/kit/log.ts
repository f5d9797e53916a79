import { type Logger, pino } from 'pino'

/** Where the program writes what happens to it: one JSON line each, secrets blacked out. */
export type Log = Logger

/** A logger to standard error. Keys, passwords, cookies and tokens never reach it, whatever is logged. */
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

// Only what tells the error: drivers hang connections, statements and their addresses on theirs.
function describe(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { code, detail, constraint } = error as { code?: unknown; detail?: unknown; constraint?: unknown }
  return {
    type: error.name,
    message: error.message,
    stack: error.stack,
    ...(typeof code === 'string' && { code }),
    ...(typeof detail === 'string' && { detail }),
    ...(typeof constraint === 'string' && { constraint }),
    ...(error.cause !== undefined && { cause: describe(error.cause) }),
  }
}
