import { type CustomMatcher, compileCustomSignal, EmptyDescription } from './custom-signal.ts'

const MAX_COMPILED = 100

/**
 * Compiled descriptions of signals. The same set is compiled once and stays the same object, by which detection knows the
 * lexicon it has built for it: a sweep over many accounts builds it once. One for a process, built in main.ts.
 */
export class CustomSignals {
  readonly #compiled = new Map<string, CustomMatcher[]>()

  matchersOf(signals: readonly { id: string; description: string }[]): CustomMatcher[] {
    const key = JSON.stringify(signals.map(({ id, description }) => [id, description]))
    const known = this.#compiled.get(key)
    if (known) return known
    const matchers = signals.flatMap(({ id, description }) => compiled(id, description))
    if (this.#compiled.size >= MAX_COMPILED) this.#compiled.clear()
    this.#compiled.set(key, matchers)
    return matchers
  }
}

/** A description that names nothing finds nothing; the other signals are looked for all the same. */
function compiled(id: string, description: string): CustomMatcher[] {
  try {
    return [compileCustomSignal(id, description)]
  } catch (error) {
    if (error instanceof EmptyDescription) return []
    throw error
  }
}
