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
        paths: ['authorization', 'cookie', 'password', 'secret', 'token', '*.authorization', '*.cookie', '*.password', '*.secret', '*.token', 'headers.authorization', 'headers.cookie'],
        censor: '[redacted]',
      },
      formatters: { level: (label) => ({ level: label }) },
    },
    pino.destination({ fd: 2, sync: true }),
  )
}
