// Bundles the service into dist/, which bin/bellwether.js runs instead of src/ while its digest matches: `npm run build`,
// and part of `npm ci` (docs/decisions/0052).
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { basename, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'rolldown'
import { sourceDigest } from '../bin/source-digest.js'

const pathOf = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url))
const SRC = pathOf('src/')
const DIST = pathOf('dist/')

/** The command, and the files that it starts as threads. */
const ENTRIES = ['src/cli/main.ts', 'src/engine/threads/thread.ts', 'src/engine/classifier/inference-worker.ts']

/** Packages that load files next to their own: a native library, a thread, a bundle for the browser. */
const EXTERNAL = ['onnxruntime-node', 'pino', 'pino-pretty', '@scalar/fastify-api-reference']

// Even where it cannot be built, no bundle of other packages stays.
rmSync(DIST, { recursive: true, force: true })
if (!existsSync(pathOf('node_modules/rolldown'))) {
  console.log(
    'The service runs from its source, because its bundler is not installed. "npm ci" without --omit=dev brings it.',
  )
} else {
  // Taken first: an edit during the build makes the bundle stale.
  const digest = sourceDigest()
  await build()
  writeFileSync(`${DIST}digest`, digest)
}

async function build(): Promise<void> {
  const { rolldown } = await import('rolldown')
  await using bundle = await rolldown({
    input: Object.fromEntries(ENTRIES.map((file) => [basename(file, '.ts'), pathOf(file)])),
    platform: 'node',
    external: EXTERNAL,
    plugins: [keepPaths()],
  })
  // Not minified, so that the traces of errors stay readable.
  await bundle.write({
    dir: DIST,
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    comments: false,
    charset: 'ascii',
  })
}

/** Paths that a file resolves against itself stay those in src/, except those of threads, which are bundled, too. */
function keepPaths(): Plugin {
  const threads = ENTRIES.map((file) => basename(file, '.ts')).join('|')
  return {
    name: 'keep-paths',
    transform(code, id) {
      if (!id.startsWith(SRC) || !code.includes('import.meta.url')) return null
      const path = JSON.stringify(relative(DIST, id))
      return code
        .replaceAll('import.meta.url', `new URL(${path}, import.meta.url).href`)
        .replaceAll(
          new RegExp(`new URL\\('\\./(${threads})\\.ts', new URL\\(.*?\\)\\.href\\)`, 'g'),
          `new URL('./$1.js', import.meta.url)`,
        )
    },
  }
}
