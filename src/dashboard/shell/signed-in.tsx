import { Outlet, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { leaveToSignIn, useSession } from '../data/session.tsx'
import { VerifyAddress } from '../pages/account/verify-address.tsx'
import { forgetAll } from '../parts/unsaved/unsaved.ts'
import { SessionEnded } from './session-ended.tsx'

/** Pages for people who are signed in, and whose address is confirmed where that is required. Others are led to signing in, once. */
export function SignedIn() {
  const { viewer, state, config } = useSession()
  const router = useRouter()
  const isSomebody = viewer !== null
  useEffect(() => {
    if (isSomebody) return
    const { href } = router.latestLocation
    void router.navigate({ to: '/sign-in', search: { next: href === '/' ? undefined : href }, replace: true })
  }, [isSomebody, router])
  const isOther = state === 'other'
  useEffect(() => {
    if (!isOther) return
    // It was typed by somebody else. The next moment nothing asks about it any more.
    forgetAll()
    setTimeout(leaveToSignIn)
  }, [isOther])
  if (!viewer) return null
  if (config.verificationRequired && !viewer.emailVerified) return <VerifyAddress />
  return (
    <>
      <div className={state === 'open' ? 'session' : 'session ended'}>
        <Outlet />
      </div>
      <SessionEnded />
    </>
  )
}
