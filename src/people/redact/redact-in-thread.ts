import type { Deps } from '../../deps/deps.ts'
import type { Erased, Item, Kind, Redacted } from '../../engine/redact/index.ts'
import type { Alone } from '../../engine/redact/redactor.ts'
import { LimitExceeded } from '../../engine/threads/pool.ts'

export type RedactOptions = {
  /** Whose turn it is in the reading threads. */
  from: string
  /** Which texts are not tried any more after some that took too long; each text by itself when not given. */
  blame?: string
  /** Words that mean somebody, by source. */
  alone?: Alone
  /** By somebody in a hurry, who writes names without capitals. */
  typed?: boolean
  /** What is not begun by then is given up. */
  until?: AbortSignal | undefined
}

const NO_TIME = 'There was no time left to search it.'

/**
 * Takes erased people out of items of one kind, in a reading thread. Answers them in their order, with the words that mean
 * somebody in their sources. What is given up was not searched, and must not be stored.
 */
export async function redactInThread<K extends Kind>(
  { parserPool }: Pick<Deps, 'parserPool'>,
  erased: Erased,
  kind: K,
  items: readonly Item<K>[],
  { from, blame = crypto.randomUUID(), alone = {}, typed = false, until }: RedactOptions,
): Promise<{ items: Redacted<K>[]; alone: Alone } | LimitExceeded> {
  const options = { from: `redact ${from}`, blame: `redact ${blame}`, ...(until ? { signal: until } : {}) }
  try {
    const done = await parserPool.run('redact', { erased, kind, items, alone, typed }, options)
    return done as LimitExceeded | { items: Redacted<K>[]; alone: Alone }
  } catch (error) {
    if (until?.aborted && error === until.reason) return new LimitExceeded(NO_TIME)
    throw error
  }
}

/** What is left of an address that could not be searched. */
export function siteRoot(url: string): string {
  const origin = URL.parse(url)?.origin
  return origin && origin !== 'null' ? `${origin}/` : ''
}
