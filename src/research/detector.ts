import type { Deps } from '../deps/deps.ts'
import { classifierUnavailableMessage } from '../engine/classifier/index.ts'
import type { TokenWindow } from '../engine/classifier/judge.ts'
import type { DetectInput, DetectResult } from '../engine/detect/index.ts'
import { registrableDomainOrHost } from '../engine/text/web-address.ts'
import { LimitExceeded } from '../engine/threads/pool.ts'
import type { DetectionTaskOptions } from '../engine/threads/tasks.ts'
import { judgementsOf } from './judgement-store.ts'

/** So many documents of one company wait for the reader at once: while one is judged, others are looked at. */
const AT_ONCE = 8

/** A document that cannot be judged here, and may be elsewhere: it is not kept as read. */
export class NotJudged extends LimitExceeded {}

/** Looks through one document. Throws what `lookThrough` throws. */
export type Look = (input: DetectInput) => Promise<DetectResult | LimitExceeded>

/**
 * Looks through documents as they come, so that what was read is judged while the next is fetched. When one cannot be
 * looked at for a reason that is not its own, the others are not begun, and end as that one did.
 */
export function createDetector(
  { db, classifier, parserPool }: Pick<Deps, 'db' | 'classifier' | 'parserPool'>,
  workspaceId: string,
  company: string,
  options: Omit<DetectionTaskOptions, 'version'>,
  ending?: AbortSignal,
): Look {
  const memory = judgementsOf(db, workspaceId)
  const failure = new AbortController()
  const signal = ending ? AbortSignal.any([ending, failure.signal]) : failure.signal
  const from = `${workspaceId} ${company}`
  const places = new Semaphore(AT_ONCE)
  return async (input) => {
    await places.enter()
    try {
      signal.throwIfAborted()
      const status = await classifier.status()
      const detection = { ...options, version: status.version }
      let isAsked = false
      const score = (windows: readonly TokenWindow[]) => {
        isAsked = true
        return status.ready ? classifier.score(windows, memory) : Promise.reject(new Error(status.reason))
      }
      // They take turns by company, but are from many sites, and one of them is not blamed for another.
      const blame = `${from} ${registrableDomainOrHost(input.url ?? input.id)}`
      const result = parserPool.run('detect', { input, options: detection }, { from, blame, score, signal })
      // Texts in other languages need no reader, and a language model may read them.
      if (!status.ready) {
        return await result.catch((error: unknown) => {
          if (isAsked) return new NotJudged(classifierUnavailableMessage(status.reason))
          throw error
        })
      }
      return await result
    } catch (error) {
      failure.abort(error)
      throw error
    } finally {
      places.leave()
    }
  }
}

/** So many at once; the others wait in their order. */
class Semaphore {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(places: number) {
    this.#free = places
  }

  enter(): Promise<void> | undefined {
    if (this.#free > 0) {
      this.#free--
      return undefined
    }
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  leave(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#free++
  }
}

/**
 * Looks through documents for signals, each by itself: one that cannot be read to its end is answered by the reason, and
 * takes nothing from the others. Answers in their order. Throws when the signal ends it, or when one could not be looked
 * at for another reason: then the others are not begun.
 */
export function lookThrough(
  parts: Pick<Deps, 'db' | 'classifier' | 'parserPool'>,
  workspaceId: string,
  company: string,
  inputs: readonly DetectInput[],
  options: Omit<DetectionTaskOptions, 'version'>,
  ending?: AbortSignal,
): Promise<(DetectResult | LimitExceeded)[]> {
  const look = createDetector(parts, workspaceId, company, options, ending)
  return Promise.all(inputs.map(look))
}
