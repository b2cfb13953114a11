import type { Deps } from '../../deps/deps.ts'
import type { ErasedPeople, Redacted, RedactionItem, RedactionKind } from '../../engine/redact/index.ts'
import type { NameWordsBySource } from '../../engine/redact/redactor.ts'
import { LimitExceeded } from '../../engine/threads/pool.ts'

export type RedactOptions = {
  /** The queue of the thread pool that the task is added to. */
  from: string
  /** Texts with the same value are no longer tried after some of them timed out; unique for each call by default. */
  blame?: string
  /** Words that mean an erased person, by source. */
  alone?: NameWordsBySource
  /** The text was typed into a form, where names may lack capitals. */
  typed?: boolean
  /** Tasks that have not started by then are abandoned. */
  until?: AbortSignal | undefined
}

const NO_TIME = 'There was no time left to search it.'

/**
 * Removes erased people from items of one kind in a worker thread. Returns the items in the same order, with the words that
 * mean an erased person in their sources. Returns LimitExceeded for items that were not searched and must not be stored.
 */
export async function redactInThread<K extends RedactionKind>(
  { parserPool }: Pick<Deps, 'parserPool'>,
  erased: ErasedPeople,
  kind: K,
  items: readonly RedactionItem<K>[],
  { from, blame = crypto.randomUUID(), alone = {}, typed = false, until }: RedactOptions,
): Promise<{ items: Redacted<K>[]; alone: NameWordsBySource } | LimitExceeded> {
  const options = { from: `redact ${from}`, blame: `redact ${blame}`, ...(until ? { signal: until } : {}) }
  try {
    const done = await parserPool.run('redact', { erased, kind, items, alone, typed }, options)
    return done as LimitExceeded | { items: Redacted<K>[]; alone: NameWordsBySource }
  } catch (error) {
    if (until?.aborted && error === until.reason) return new LimitExceeded(NO_TIME)
    throw error
  }
}

/** Returns the origin of a URL; the rest of an unsearched URL may contain a name. */
export function siteRoot(url: string): string {
  const origin = URL.parse(url)?.origin
  return origin && origin !== 'null' ? `${origin}/` : ''
}
