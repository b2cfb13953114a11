// Builds packages/client/dist, the package as it is published: plain JavaScript with its types.
//   node scripts/pack-client.ts [FOLDER]
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const source = join(root, 'packages/client')
const target = resolve(process.argv[2] ?? join(source, 'dist'))

rmSync(target, { recursive: true, force: true })
mkdirSync(target, { recursive: true })
const options = ['--noEmit', 'false', '--declaration', '--rewriteRelativeImportExtensions', '--outDir', target]
const tsc = join(root, 'node_modules/typescript/bin/tsc')
const { status } = spawnSync(process.execPath, [tsc, '-p', join(source, 'tsconfig.build.json'), ...options], {
  stdio: 'inherit',
})
if (status !== 0) process.exit(status ?? 1)

const { devDependencies: _, exports, ...manifest } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'))
const built = Object.entries(exports as Record<string, string>).map(([name, file]) => {
  const base = file.replace('./src/', './').replace(/\.ts$/, '')
  return [name, { types: `${base}.d.ts`, default: `${base}.js` }]
})
writeFileSync(
  join(target, 'package.json'),
  JSON.stringify({ ...manifest, exports: Object.fromEntries(built) }, null, 2),
)
copyFileSync(join(source, 'README.md'), join(target, 'README.md'))
copyFileSync(join(root, 'LICENSE'), join(target, 'LICENSE'))
