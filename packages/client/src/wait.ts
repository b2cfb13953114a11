import { WorkFailed } from './errors.ts'
import { sleep } from './sleep.ts'

export type WaitOptions<T> = {
  /** Called with every polled state, including the first and the last. */
  onProgress?: (record: T) => void
  /** Ends the wait. The work continues. */
  signal?: AbortSignal
  /** Longest interval between two polls in milliseconds; the first intervals are shorter. 3 seconds when absent. */
  intervalMs?: number
}

const FIRST_POLL_MS = 250

/** Polls until `stateOf` returns `done`. Throws WorkFailed when the work has failed. */
export async function waitFor<T>(
  read: (signal?: AbortSignal) => Promise<T>,
  stateOf: (record: T) => 'running' | 'done' | { failed: string },
  { onProgress, signal, intervalMs = 3_000 }: WaitOptions<T>,
): Promise<T> {
  for (let wait = FIRST_POLL_MS; ; wait = Math.min(wait * 1.5, intervalMs)) {
    const record = await read(signal)
    onProgress?.(record)
    const state = stateOf(record)
    if (state === 'done') return record
    if (state !== 'running') throw new WorkFailed(state.failed, record)
    await sleep(wait, signal)
  }
}
