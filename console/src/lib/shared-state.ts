import { useSyncExternalStore } from 'react'

/** A value that parts of the console share, wherever they stand. */
export type Shared<T> = { get: () => T; set: (value: T) => void; subscribe: (changed: () => void) => () => void }

export function state<T>(first: T): Shared<T> {
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

export function useShared<T>({ get, subscribe }: Shared<T>): T {
  return useSyncExternalStore(subscribe, get)
}
