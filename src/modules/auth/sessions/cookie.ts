import { parseCookie, stringifySetCookie } from 'cookie'
import type { World } from '../../../kit/world.ts'

/** Days until a session ends after it was last renewed. */
export const sessionDays = 7

/** The name of the cookie of an installation. */
export function cookieName({ publicUrl }: Pick<World, 'publicUrl'>): string {
  return publicUrl.startsWith('https:') ? '__Host-session' : 'session'
}

/** The token in a Cookie header, if there is one. */
export function readSessionCookie(world: Pick<World, 'publicUrl'>, header: string | undefined): string | undefined {
  return header === undefined ? undefined : parseCookie(header)[cookieName(world)] || undefined
}

/** The Set-Cookie header of a session: HttpOnly and SameSite=Lax, and with the `__Host-` prefix and Secure over https. */
export function sessionCookie(world: Pick<World, 'publicUrl'>, token: string): string {
  return line(world, token, sessionDays * 86_400)
}

/** The Set-Cookie header that removes the session cookie. */
export function clearedCookie(world: Pick<World, 'publicUrl'>): string {
  return line(world, '', 0)
}

function line(world: Pick<World, 'publicUrl'>, value: string, maxAge: number): string {
  const secure = world.publicUrl.startsWith('https:')
  return stringifySetCookie({ name: cookieName(world), value, maxAge, path: '/', httpOnly: true, sameSite: 'lax', secure })
}
