// Builds the console into console/dist: `npm run build`, and part of `npm ci`.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'

const pathOf = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const DIST = pathOf('../console/dist/')

if (!isInstalled('vite')) {
  console.log('The console is not built, because its tools are not installed. "npm ci" without --omit=dev brings them.')
} else {
  run('build', '--workspace', 'console')
  packFiles()
}

function isInstalled(name: string): boolean {
  try {
    return createRequire(import.meta.url).resolve(`${name}/package.json`) !== ''
  } catch {
    return false
  }
}

function run(script: string, ...rest: string[]): void {
  const { status } = spawnSync('npm', ['run', '--silent', script, ...rest], { stdio: 'inherit', cwd: pathOf('..') })
  if (status !== 0) process.exit(status ?? 1)
}

/** Compressed once at build time. The page is not, because the service inserts a nonce. */
function packFiles(): void {
  for (const name of readdirSync(DIST, { recursive: true, encoding: 'utf8' })) {
    if (!/\.(js|css|svg)$/.test(name)) continue
    const file = `${DIST}${name}`
    const bytes = readFileSync(file)
    writeFileSync(`${file}.br`, brotliCompressSync(bytes))
    writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
  }
}
