import { useEffect, useState } from 'react'

/**
 * Unsaved form values in session storage: they survive a reload, navigation and an expired session, and the browser asks before
 * the tab is closed. `saved` is the stored record; values equal to it are not a change.
 */
export function useFormDraft<T extends object>(name: string, saved: T) {
  const key = `draft ${name}`
  const [draft, setDraft] = useState<T | null>(() => readStored<T>(key))
  const isChanged = draft !== null && JSON.stringify(draft) !== JSON.stringify(saved)

  useEffect(() => {
    if (isChanged) sessionStorage.setItem(key, JSON.stringify(draft))
    else sessionStorage.removeItem(key)
    if (!isChanged) return
    const confirmLeave = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', confirmLeave)
    return () => window.removeEventListener('beforeunload', confirmLeave)
  }, [key, draft, isChanged])

  return {
    value: draft ?? saved,
    isChanged,
    change: (fields: Partial<T>) => setDraft((before) => ({ ...(before ?? saved), ...fields })),
    /** Removes the draft after it was saved or discarded. */
    clear: () => {
      sessionStorage.removeItem(key)
      setDraft(null)
    },
  }
}

function readStored<T>(key: string): T | null {
  const text = sessionStorage.getItem(key)
  if (text === null) return null
  try {
    return JSON.parse(text) as T
  } catch {
    // Not written by this hook; the next change overwrites it.
    return null
  }
}
