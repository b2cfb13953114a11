import { setPriority } from 'node:os'

/** Gives a thread about a third of the CPU share of the thread that serves requests when both want a core. */
const NICE = 5

/**
 * Lowers the priority of this thread. Only Linux has priorities per thread; elsewhere this would slow down the process.
 */
export function lowerThreadPriority(): void {
  if (process.platform === 'linux') setPriority(0, NICE)
}
