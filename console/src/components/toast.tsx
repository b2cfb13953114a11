import { lazy, Suspense } from 'react'
import { createSharedState, useSharedState } from '../lib/shared-state.ts'

// Loaded with the first toast to keep the initial bundle small.
const load = () => import('./ToastContainer.tsx')
const ToastContainer = lazy(load)
const isNeeded = createSharedState(false)

/** Shows a success message, with an Undo button if the action can be undone. */
export function toastSuccess(message: string, undo?: () => unknown): void {
  isNeeded.set(true)
  load().then(({ showSuccess }) => showSuccess(message, undo))
}

/** Shows an error with its reason. */
export function toastError(title: string, error: unknown): void {
  isNeeded.set(true)
  load().then(({ showError }) => showError(title, error))
}

/** Renders the toast container once there is a toast. */
export function Toasts() {
  const needed = useSharedState(isNeeded)
  return <Suspense>{needed && <ToastContainer />}</Suspense>
}
