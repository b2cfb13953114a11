// Writes the SBOM of the service as CycloneDX, from the lock file: `npm run sbom -- <file>`. Development tools are
// removed here: npm's `--omit=dev` also omits packages that tools and service share.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'

type Component = { name: string; 'bom-ref': string }
type Sbom = {
  bomFormat: string
  specVersion: string
  metadata: { component: Component }
  components: Component[]
  dependencies: { ref: string; dependsOn?: string[] }[]
}
type Lock = { packages: Record<string, { name?: string; version?: string; dev?: boolean; link?: boolean }> }

const [file] = process.argv.slice(2)
if (!file) {
  console.error('Say where to: npm run sbom -- <file>')
  process.exit(1)
}
const { stdout, stderr, status } = spawnSync(
  'npm',
  ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only'],
  {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  },
)
if (status !== 0) throw new Error(`npm sbom failed: ${stderr}`)
const sbom = JSON.parse(stdout) as Sbom
const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as Lock
const parts = new Set(
  Object.entries(lock.packages)
    .filter(([path, { dev, link }]) => path.includes('node_modules/') && !dev && !link)
    .map(([path, { name, version }]) => `${name ?? path.replace(/^.*node_modules\//, '')}@${version}`),
)
const components = sbom.components.filter((component) => parts.has(component['bom-ref']))
// An incomplete list would be worse than none.
const listed = new Set(components.map((component) => component['bom-ref']))
const missing = [...parts].filter((part) => !listed.has(part))
if (sbom.bomFormat !== 'CycloneDX' || missing.length > 0) throw new Error(`The list lacks ${missing.join(', ')}`)
const kept = listed.add(sbom.metadata.component['bom-ref'])
const dependencies = sbom.dependencies
  .filter(({ ref }) => kept.has(ref))
  .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((other) => kept.has(other)) }))
// npm names it after its folder.
const metadata = { ...sbom.metadata, component: { ...sbom.metadata.component, name: 'bellwether' } }
writeFileSync(file, `${JSON.stringify({ ...sbom, metadata, components, dependencies }, null, 2)}\n`)
console.log(`${file}: CycloneDX ${sbom.specVersion}, ${components.length} components`)
