import { WorkFailed } from './errors.ts'
import { sleep } from './sleep.ts'

export type WaitOptions<T> = {
  /** Called with every state that was seen, the first and the last included. */
  onProgress?: (record: T) => void
  /** Ends the waiting. What is waited for goes on. */
  signal?: AbortSignal
  /** Milliseconds between two looks at most; they begin closer together. 3 seconds when absent. */
  intervalMs?: number
}

const FIRST_LOOK_MS = 250

/** Looks again and again until `stateOf` says that the record is done. Throws WorkFailed when it has failed. */
export async function waitFor<T>(
  read: (signal?: AbortSignal) => Promise<T>,
  stateOf: (record: T) => 'running' | 'done' | { failed: string },
  { onProgress, signal, intervalMs = 3_000 }: WaitOptions<T>,
): Promise<T> {
  for (let wait = FIRST_LOOK_MS; ; wait = Math.min(wait * 1.5, intervalMs)) {
    const record = await read(signal)
    onProgress?.(record)
    const state = stateOf(record)
    if (state === 'done') return record
    if (state !== 'running') throw new WorkFailed(state.failed, record)
    await sleep(wait, signal)
  }
}
