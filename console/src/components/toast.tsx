import { lazy, Suspense } from 'react'
import { state, useShared } from '../lib/shared-state.ts'

// Loaded when there is something to say: the first page comes sooner without it.
const load = () => import('./ToastContainer.tsx')
const Notices = lazy(load)
const isNeeded = state(false)

/** Says in a corner that something was done, with a way back where there is one. */
export function tellDone(message: string, undo?: () => unknown): void {
  isNeeded.set(true)
  load().then(({ showDone }) => showDone(message, undo))
}

/** Says what could not be done and why; it stays until it was read. */
export function tellFailed(what: string, error: unknown): void {
  isNeeded.set(true)
  load().then(({ showFailed }) => showFailed(what, error))
}

/** The corner. */
export function Told() {
  const needed = useShared(isNeeded)
  return <Suspense>{needed && <Notices />}</Suspense>
}
