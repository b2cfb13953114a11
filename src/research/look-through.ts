import type { Deps } from '../deps.ts'
import { placeOf } from '../engine/content/site.ts'
import type { DetectInput, DetectResult } from '../engine/detect/index.ts'
import type { GivenUp } from '../engine/threads/pool.ts'
import type { Looking } from '../engine/threads/tasks.ts'
import { judgementsOf } from './judgement-store.ts'

/** So many documents of one company wait for the reader at once: while one is judged, others are looked at. */
const AT_ONCE = 8

/**
 * Looks through documents for signals, each by itself: one that cannot be read to its end is answered by the reason, and
 * takes nothing from the others. Answers in their order. Throws when the signal ends it, or when one could not be looked
 * at for another reason: then the others are not begun.
 */
export async function lookThrough(
  { db, reader, reading }: Pick<Deps, 'db' | 'reader' | 'reading'>,
  workspaceId: string,
  company: string,
  inputs: readonly DetectInput[],
  options: Omit<Looking, 'status'>,
  ending?: AbortSignal,
): Promise<(DetectResult | GivenUp)[]> {
  const looking = { ...options, status: await reader.status() }
  const memory = judgementsOf(db, workspaceId)
  const score: Parameters<typeof reading.run>[2]['score'] = (windows) => reader.score(windows, memory)
  const results: (DetectResult | GivenUp)[] = []
  const waiting = inputs.entries()
  const failure = new AbortController()
  const signal = ending ? AbortSignal.any([ending, failure.signal]) : failure.signal
  const from = `${workspaceId} ${company}`
  async function work(): Promise<void> {
    for (const [at, input] of waiting) {
      signal.throwIfAborted()
      // They take turns by company, but are from many sites, and one of them is not blamed for another.
      const blame = `${from} ${placeOf(input.url ?? input.id)}`
      results[at] = await reading.run('detect', { input, looking }, { from, blame, score, signal })
    }
  }
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, work))
  } catch (error) {
    failure.abort(error)
    throw error
  }
  return results
}
