import { lazy, Suspense } from 'react'
import { createSharedState, useSharedState } from '../lib/shared-state.ts'

// Loaded with the first toast to keep the initial bundle small.
const load = () => import('./ToastContainer.tsx')
const ToastContainer = lazy(load)
const isNeeded = createSharedState(false)

/**
 * Shows a success message, with an Undo button if the action can be undone. `about` are the ids of what was changed: a later
 * change of one of them ends the offer to undo this one.
 */
export function toastSuccess(message: string, undo?: () => unknown, about: readonly string[] = []): void {
  isNeeded.set(true)
  load().then(({ showSuccess }) => showSuccess(message, undo, about))
}

/** Removes the message with an Undo button for one of these records: the change was undone in another way. */
export function endUndo(about: readonly string[]): void {
  if (isNeeded.get()) load().then(({ hideUndo }) => hideUndo(about))
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
