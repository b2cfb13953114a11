import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const pathOf = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url))

/** Digest of what scripts/build-service.ts bundles: the source, and the versions of the packages. */
export function sourceDigest() {
  const hash = createHash('sha256').update(readFileSync(pathOf('package-lock.json')))
  for (const folder of ['src/', 'packages/client/src/']) {
    const names = readdirSync(pathOf(folder), { recursive: true, encoding: 'utf8' })
    for (const name of names.filter((name) => /(?<!\.test)\.ts$/.test(name)).sort()) {
      hash.update(`\n${folder}${name}\n`).update(readFileSync(pathOf(folder + name)))
    }
  }
  return hash.digest('hex')
}
