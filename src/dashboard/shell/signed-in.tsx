import { Outlet, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useSession } from '../data/session.tsx'
import { VerifyAddress } from '../pages/account/verify-address.tsx'

/** Pages for people who are signed in, and whose address is confirmed where that is required. Others are led to signing in, once. */
export function SignedIn() {
  const { viewer, config } = useSession()
  const router = useRouter()
  const isSomebody = viewer !== null
  useEffect(() => {
    if (isSomebody) return
    const { href } = router.latestLocation
    void router.navigate({ to: '/sign-in', search: { next: href === '/' ? undefined : href }, replace: true })
  }, [isSomebody, router])
  if (!viewer) return null
  if (config.verificationRequired && !viewer.emailVerified) return <VerifyAddress />
  return <Outlet />
}
