import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useCallback, useEffect, useState } from 'react'
import { setSessionLostHandler } from '../api/client.ts'
import { meQuery } from '../api/me.ts'

const SignInAgain = lazy(() => import('./SignInAgain.tsx'))

/**
 * Over the page, so that nothing that was typed there is lost. Only here is anything said about a lost session: before the
 * pages are shown nobody is signed in, and that is no news.
 */
export function SessionEndedDialog() {
  const queryClient = useQueryClient()
  const [isEnded, setEnded] = useState(false)
  const goOn = useCallback(() => {
    setEnded(false)
    queryClient.invalidateQueries()
  }, [queryClient])
  useEffect(() => {
    setSessionLostHandler(() => setEnded(true))
    return () => setSessionLostHandler(() => {})
  }, [])
  useEffect(() => {
    if (!isEnded) return
    // Somebody may come back from another tab, where a link has signed them in.
    const look = () => {
      queryClient.fetchQuery({ ...meQuery, staleTime: 0, retry: false }).then(goOn, () => {
        // Still nobody: the form stays.
      })
    }
    window.addEventListener('focus', look)
    return () => window.removeEventListener('focus', look)
  }, [isEnded, goOn, queryClient])
  return <Suspense>{isEnded && <SignInAgain onSignedIn={goOn} />}</Suspense>
}
