import { decodeJwt, errors, jwtVerify, SignJWT } from 'jose'
import type { World } from '../../../kit/world.ts'
import { sessionDays } from './cookie.ts'

type Signer = Pick<World, 'vault' | 'clock'>

/** The content of a session token: which session, and when the token was signed. */
export interface SessionToken {
  sessionId: string
  signedAt: Date
}

/** Signs a JWT (RFC 7519, HS256) for a session, valid for 7 days. It proves nothing by itself: the session must still exist. */
export async function signSessionToken({ vault, clock }: Signer, sessionId: string): Promise<string> {
  const now = Math.floor(clock.now().getTime() / 1000)
  return new SignJWT()
    .setProtectedHeader({ alg: 'HS256' })
    .setJti(sessionId)
    .setIssuedAt(now)
    .setExpirationTime(now + sessionDays * 86_400)
    .sign(vault.key('session'))
}

/** Reads a session token; null when it is forged, malformed or expired. */
export async function readSessionToken({ vault, clock }: Signer, token: string): Promise<SessionToken | null> {
  try {
    const { payload } = await jwtVerify(token, vault.key('session'), {
      algorithms: ['HS256'],
      currentDate: clock.now(),
      requiredClaims: ['jti', 'iat', 'exp'],
    })
    return { sessionId: String(payload.jti), signedAt: new Date(Number(payload.iat) * 1000) }
  } catch (error) {
    if (error instanceof errors.JOSEError) return null
    throw error
  }
}

/** The session that a token names, whoever has made it; undefined when it is malformed. */
export function unverifiedSessionId(token: string): string | undefined {
  try {
    return decodeJwt(token).jti
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined
    throw error
  }
}
