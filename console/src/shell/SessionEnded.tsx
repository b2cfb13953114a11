import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useCallback, useEffect, useState } from 'react'
import { setSessionLostHandler } from '../api/client.ts'
import { meQuery } from '../api/me.ts'

const SignInAgain = lazy(() => import('./SignInAgain.tsx'))

/**
 * Asks to sign in again in a dialog over the page, so that unsaved input is kept. Before the first page is rendered, the router
 * redirects to the sign-in page instead.
 */
export function SessionEndedDialog() {
  const queryClient = useQueryClient()
  const [isEnded, setEnded] = useState(false)
  const resume = useCallback(() => {
    setEnded(false)
    queryClient.invalidateQueries()
  }, [queryClient])
  useEffect(() => {
    setSessionLostHandler(() => setEnded(true))
    return () => setSessionLostHandler(() => {})
  }, [])
  useEffect(() => {
    if (!isEnded) return
    // The member may have signed in with a link in another tab.
    const checkSession = () => {
      queryClient.fetchQuery({ ...meQuery, staleTime: 0, retry: false }).then(resume, () => {
        // Still signed out: the form stays open.
      })
    }
    window.addEventListener('focus', checkSession)
    return () => window.removeEventListener('focus', checkSession)
  }, [isEnded, resume, queryClient])
  return <Suspense>{isEnded && <SignInAgain onSignedIn={resume} />}</Suspense>
}
