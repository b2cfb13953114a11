// Deletes the builds of onnxruntime-node for other platforms, which its package contains (290 MB together): part of `npm ci`
// and of the Dockerfile.
//   node scripts/prune-binaries.ts [folder with node_modules]
import { existsSync, globSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const BINARIES = 'node_modules/onnxruntime-node/bin'

const root = realpathSync(process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url)))
const folder = join(root, BINARIES)
// Packages behind a link belong to another checkout, or to a store that several share.
if (existsSync(folder) && realpathSync(folder) === folder) {
  const { platform, arch } = process
  const foreign = globSync('*/*/*', { cwd: folder }).filter((build) => !build.endsWith(join('/', platform, arch)))
  for (const build of foreign) rmSync(join(folder, build), { recursive: true })
}
