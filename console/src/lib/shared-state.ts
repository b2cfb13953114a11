import { useSyncExternalStore } from 'react'

/** A value shared by components that have no common parent. */
export type SharedState<T> = { get: () => T; set: (value: T) => void; subscribe: (changed: () => void) => () => void }

export function createSharedState<T>(first: T): SharedState<T> {
  let value = first
  const listeners = new Set<() => void>()
  return {
    get: () => value,
    set: (next) => {
      value = next
      for (const listener of listeners) listener()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

export function useSharedState<T>({ get, subscribe }: SharedState<T>): T {
  return useSyncExternalStore(subscribe, get)
}
