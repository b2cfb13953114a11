import { setPriority } from 'node:os'

/** Gives a thread about a third of what the one that answers requests gets where both want a core. */
const NICE = 5

/** Lets this thread give way. Only Linux counts priorities by thread: elsewhere it would slow the whole process down. */
export function lowerThreadPriority(): void {
  if (process.platform === 'linux') setPriority(0, NICE)
}
