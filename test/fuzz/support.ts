import { test } from 'node:test'
import fc, { type IAsyncPropertyWithHooks, type IPropertyWithHooks, type Parameters } from 'fast-check'

const SECONDS = Number(process.env.FUZZ_SECONDS ?? 60)
const SEED = Number(process.env.FUZZ_SEED ?? 1)
const PATH = process.env.FUZZ_PATH

/** Files run beside each other; what is left goes into starting PostgreSQL and loading them. */
const FILE_MS = Math.max(SECONDS * 0.7, SECONDS - 20) * 1000

type Plan = {
  /** Part of the file's time that this property gets, 0 to 1. */
  share: number
  /** Inputs it is tried with in any case, however slow the machine. */
  least: number
}

/**
 * Tries a property with as many inputs as its part of the time allows, and says how many they were. A failure names the seed
 * and the path of the smallest failing input.
 */
export function fuzz<T>(
  name: string,
  { share, least }: Plan,
  property: IPropertyWithHooks<T> | IAsyncPropertyWithHooks<T>,
  /** What else to tell about the run. */
  more: () => string = () => '',
): void {
  test(name, async (t) => {
    const began = Date.now()
    const all = { endOnFailure: false, verbose: 0 } as const
    if (PATH) return void (await fc.assert(property, { ...all, seed: SEED, path: PATH } as Parameters<T>))
    await fc.assert(property, { ...all, seed: SEED, numRuns: least } as Parameters<T>)
    const left = began + FILE_MS * share - Date.now()
    let runs = least
    if (left > 0) {
      // Other inputs than those of the first part.
      const rest = { ...all, seed: SEED + 1, numRuns: 1_000_000_000, interruptAfterTimeLimit: left } as Parameters<T>
      const details = await fc.check(property, rest)
      runs += details.numRuns
      if (details.failed && details.counterexample)
        throw new Error(fc.defaultReportMessage(details), { cause: details.errorInstance })
    }
    t.diagnostic(`${runs} inputs, seed ${SEED}${more()}`)
  })
}
