// Runs test files sequentially in one process, each as a test: most of the time of a small file is loading
// the service. Several lanes share one list of files (run.ts). A file can also run alone: `node --test` with its path.
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'

/** More than the last reports of a lane take. */
const LEFT_OVER_MS = 10_000

const { files, taken } = JSON.parse(process.env.TEST_LANES as string) as { files: string[]; taken: string }

for (const [at, file] of files.entries()) {
  if (!take(at)) continue
  await test(file, async () => {
    await import(pathToFileURL(resolve(file)).href)
  })
}

// A test that timed out goes on, and what it starts then would keep this process running.
setTimeout(() => process.exit(), LEFT_OVER_MS).unref()

/** Claims a file: of all lanes that create its folder, one succeeds. */
function take(at: number): boolean {
  try {
    mkdirSync(join(taken, String(at)))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}
