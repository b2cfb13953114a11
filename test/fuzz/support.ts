import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc, { type IAsyncPropertyWithHooks, type IPropertyWithHooks, type Parameters } from 'fast-check'

const SECONDS = Number(process.env.FUZZ_SECONDS ?? 60)
const SEED = Number(process.env.FUZZ_SEED ?? 1)
const PATH = process.env.FUZZ_PATH

/** Files run concurrently; the rest of the time goes into starting PostgreSQL and loading them. */
const FILE_MS = Math.max(SECONDS * 0.7, SECONDS - 20) * 1000

/** Time limit for the minimum number of inputs: anything longer hangs. */
const LEAST_MS = 120_000

type Plan = {
  /** Share of the file's time for this property, 0 to 1. */
  share: number
  /** Minimum number of inputs, however slow the machine. */
  least: number
}

/**
 * Tests a property with as many inputs as its share of the time allows, and reports their number. A failure includes the seed
 * and the path of the smallest failing input.
 */
export function fuzz<T>(
  name: string,
  { share, least }: Plan,
  property: IPropertyWithHooks<T> | IAsyncPropertyWithHooks<T>,
  /** Further information to report about the run. */
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
      // Calls that the time limit interrupted still use the service: they have to end before it stops.
      await running
      if (details.failed && details.counterexample)
        throw new Error(fc.defaultReportMessage(details), { cause: details.errorInstance })
      return details.numRuns
    }
    if (PATH) return void (await tried({ path: PATH }))
    let runs = await tried({ numRuns: least, interruptAfterTimeLimit: LEAST_MS })
    assert.equal(runs, least, `inputs in ${LEAST_MS / 1000} s`)
    const left = began + FILE_MS * share - Date.now()
    // Other inputs than in the first part.
    if (left > 0) runs += await tried({ seed: SEED + 1, numRuns: 1_000_000_000, interruptAfterTimeLimit: left })
    t.diagnostic(`${runs} inputs, seed ${SEED}${more()}`)
  })
}
