import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc, { type IAsyncPropertyWithHooks, type IPropertyWithHooks, type Parameters } from 'fast-check'

const SECONDS = Number(process.env.FUZZ_SECONDS ?? 60)
const SEED = Number(process.env.FUZZ_SEED ?? 1)
const PATH = process.env.FUZZ_PATH

/** Files run beside each other; what is left goes into starting PostgreSQL and loading them. */
const FILE_MS = Math.max(SECONDS * 0.7, SECONDS - 20) * 1000

/** So long at most for the inputs that are tried in any case: whatever takes longer hangs. */
const LEAST_MS = 120_000

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
    let running: unknown
    const run = property.run.bind(property)
    Object.assign(property, {
      run: (input: T) => {
        const outcome = run(input)
        running = outcome
        return outcome
      },
    })
    const tried = async (more: Parameters<T>): Promise<number> => {
      const details = await fc.check(property, { seed: SEED, ...more })
      // What the time limit cuts off still calls the service: it has to end before that does.
      await running
      if (details.failed && details.counterexample)
        throw new Error(fc.defaultReportMessage(details), { cause: details.errorInstance })
      return details.numRuns
    }
    if (PATH) return void (await tried({ path: PATH }))
    let runs = await tried({ numRuns: least, interruptAfterTimeLimit: LEAST_MS })
    assert.equal(runs, least, `inputs in ${LEAST_MS / 1000} s`)
    const left = began + FILE_MS * share - Date.now()
    // Other inputs than those of the first part.
    if (left > 0) runs += await tried({ seed: SEED + 1, numRuns: 1_000_000_000, interruptAfterTimeLimit: left })
    t.diagnostic(`${runs} inputs, seed ${SEED}${more()}`)
  })
}
