import type { Deps } from '../deps.ts'
import type { DetectInput, DetectResult } from '../engine/detect/index.ts'
import type { GivenUp } from '../engine/threads/pool.ts'
import type { Looking } from '../engine/threads/tasks.ts'
import { judgementsOf } from './judgement-store.ts'

/** So many documents of one company wait for the reader at once: while one is judged, others are looked at. */
const AT_ONCE = 8

/**
 * Looks through documents for signals, each by itself: one that cannot be read to its end is answered by the reason, and
 * takes nothing from the others. Answers in their order.
 */
export async function lookThrough(
  { db, reader, reading }: Pick<Deps, 'db' | 'reader' | 'reading'>,
  workspaceId: string,
  company: string,
  inputs: readonly DetectInput[],
  options: Omit<Looking, 'status'>,
): Promise<(DetectResult | GivenUp)[]> {
  const looking = { ...options, status: await reader.status() }
  const memory = judgementsOf(db, workspaceId)
  const score: Parameters<typeof reading.run>[2]['score'] = (windows) => reader.score(windows, memory)
  const results: (DetectResult | GivenUp)[] = []
  const waiting = inputs.entries()
  async function work(): Promise<void> {
    for (const [at, input] of waiting) {
      const from = `${workspaceId} ${company}`
      results[at] = await reading.run('detect', { input, looking }, { from, score })
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return results
}
