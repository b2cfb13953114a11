import { lazy, Suspense } from 'react'
import { createSharedState, useSharedState } from '../lib/shared-state.ts'

// Loaded when there is something to say: the first page comes sooner without it.
const load = () => import('./ToastContainer.tsx')
const ToastContainer = lazy(load)
const isNeeded = createSharedState(false)

/** Says in a corner that something was done, with a way back where there is one. */
export function toastSuccess(message: string, undo?: () => unknown): void {
  isNeeded.set(true)
  load().then(({ showSuccess }) => showSuccess(message, undo))
}

/** Says what could not be done and why; it stays until it was read. */
export function toastError(what: string, error: unknown): void {
  isNeeded.set(true)
  load().then(({ showError }) => showError(what, error))
}

/** The corner. */
export function Toasts() {
  const needed = useSharedState(isNeeded)
  return <Suspense>{needed && <ToastContainer />}</Suspense>
}
