import { lazy, Suspense, useState } from 'react'
import { MemberButton } from './MemberButton.tsx'

const OpenMemberMenu = lazy(() => import('./OpenMemberMenu.tsx'))

/** Who is signed in, and behind it the menu, loaded when it is first opened. */
export function MemberMenu() {
  const [isLoaded, setLoaded] = useState(false)
  if (!isLoaded) return <MemberButton onClick={() => setLoaded(true)} aria-expanded={false} />
  return (
    <Suspense fallback={<MemberButton />}>
      <OpenMemberMenu />
    </Suspense>
  )
}
