// Runs test files in one process, one after another, each as a test of its own: most of what a small file takes is loading
// the service. Several lanes take files from one list (run.ts). A file also runs alone: `node --test` with its path.
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'

const { files, taken } = JSON.parse(process.env.TEST_LANES as string) as { files: string[]; taken: string }

for (const [at, file] of files.entries()) {
  if (!take(at)) continue
  await test(file, async () => {
    await import(pathToFileURL(resolve(file)).href)
  })
}

/** Takes a file, unless another lane has: of all that make its folder, one succeeds. */
function take(at: number): boolean {
  try {
    mkdirSync(join(taken, String(at)))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}
