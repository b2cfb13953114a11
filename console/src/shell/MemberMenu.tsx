import { lazy, Suspense, useState } from 'react'
import { MemberButton } from './MemberButton.tsx'

const OpenMemberMenu = lazy(() => import('./OpenMemberMenu.tsx'))

/** The member menu. It is loaded on the first click. */
export function MemberMenu() {
  const [isLoaded, setLoaded] = useState(false)
  if (!isLoaded) return <MemberButton onClick={() => setLoaded(true)} aria-expanded={false} />
  return (
    <Suspense fallback={<MemberButton />}>
      <OpenMemberMenu />
    </Suspense>
  )
}
