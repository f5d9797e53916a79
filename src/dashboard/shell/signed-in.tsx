import { Navigate, Outlet, useLocation } from '@tanstack/react-router'
import { useSession } from '../data/session.tsx'
import { VerifyAddress } from '../pages/account/verify-address.tsx'

/** Pages for people who are signed in, and whose address is confirmed where that is required. */
export function SignedIn() {
  const { viewer, config } = useSession()
  const { href } = useLocation()
  if (!viewer) return <Navigate to="/sign-in" search={{ next: href === '/' ? undefined : href }} replace />
  if (config.verificationRequired && !viewer.emailVerified) return <VerifyAddress />
  return <Outlet />
}
