import { readFile } from 'node:fs/promises'
import { createSecureContext } from 'node:tls'
import { type Config, ConfigError } from '../config.ts'

/** A certificate with those that it was issued with, and its private key, in PEM. */
export interface Certificate {
  cert: string
  key: string
}

/** The certificate of BOUNCE_TLS_CERT; undefined without one. Throws ConfigError when a file cannot be read, or the two do not belong together. */
export async function readCertificate({
  BOUNCE_TLS_CERT: certificate,
  BOUNCE_TLS_KEY: privateKey,
}: Pick<Config, 'BOUNCE_TLS_CERT' | 'BOUNCE_TLS_KEY'>): Promise<Certificate | undefined> {
  if (certificate === undefined || privateKey === undefined) return undefined
  const [cert, key] = await Promise.all([pemIn('BOUNCE_TLS_CERT', certificate), pemIn('BOUNCE_TLS_KEY', privateKey)])
  try {
    createSecureContext({ cert, key })
    return { cert, key }
  } catch (error) {
    throw new ConfigError(`BOUNCE_TLS_CERT and BOUNCE_TLS_KEY: cannot be used together: ${(error as Error).message}`)
  }
}

async function pemIn(setting: string, path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw new ConfigError(`${setting}: the file cannot be read: ${(error as Error).message}`)
  }
}
