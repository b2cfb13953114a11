import { useEffect, useState } from 'react'

/**
 * What is being typed, kept in this tab until it is saved: a reload, another page or an ended session lose nothing, and the
 * browser asks before the tab is closed. `saved` is what it starts from; typing the same again is no change.
 */
export function useFormDraft<T extends object>(name: string, saved: T) {
  const key = `draft ${name}`
  const [draft, setDraft] = useState<T | null>(() => readStored<T>(key))
  const isChanged = draft !== null && JSON.stringify(draft) !== JSON.stringify(saved)

  useEffect(() => {
    if (isChanged) sessionStorage.setItem(key, JSON.stringify(draft))
    else sessionStorage.removeItem(key)
    if (!isChanged) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [key, draft, isChanged])

  return {
    value: draft ?? saved,
    isChanged,
    change: (fields: Partial<T>) => setDraft((before) => ({ ...(before ?? saved), ...fields })),
    /** After it was saved, or thrown away. */
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
    // Not ours: it is written over with the next letter.
    return null
  }
}
