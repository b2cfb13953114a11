// Lets npm verify the registry signatures of installed packages. An invalid or missing signature is an error; when the
// registry signs nothing, or it or its keys cannot be reached, the script reports that nothing was checked.
//   node scripts/check-signatures.ts [folder with node_modules]
import { spawnSync } from 'node:child_process'

type Package = { name: string; version: string; code?: string }
type Verdict = { invalid?: Package[]; missing?: Package[]; error?: { code?: string; summary?: string } }

const { stdout, status, error } = spawnSync(
  'npm',
  ['audit', 'signatures', '--json', '--fetch-retries=0', '--fetch-timeout=20000', '--loglevel=error'],
  { cwd: process.argv[2] ?? '.', encoding: 'utf8', timeout: 120_000, maxBuffer: 64 * 1024 * 1024 },
)
const { invalid = [], missing = [], error: failure } = read(stdout ?? '')
const named = (packages: Package[]) => packages.map(({ name, version }) => `  ${name} ${version}`).join('\n')
if (invalid.length > 0) refuse(`${invalid.length} packages with an invalid signature:\n${named(invalid)}`)
else if (missing.length > 0)
  refuse(`${missing.length} packages without a signature, though the registry signs:\n${named(missing)}`)
else if (/INTEGRITY|SIGNATURE|ATTESTATION/.test(failure?.code ?? ''))
  refuse(`${failure?.code}: ${failure?.summary ?? ''}`)
else if (status === 0) console.log('signatures: all verified')
else console.log(`signatures: not checked: ${reasonOf()}`)

function refuse(message: string): void {
  console.error(`signatures: ${message}`)
  process.exitCode = 1
}

function read(text: string): Verdict {
  try {
    return JSON.parse(text) as Verdict
  } catch {
    return {}
  }
}

function reasonOf(): string {
  if (error) return `npm did not run to its end (${(error as NodeJS.ErrnoException).code ?? error.message})`
  if (/supported registry/.test(failure?.summary ?? '')) return 'the registry offers no signatures'
  return `the registry or its keys cannot be reached (${failure?.code ?? `npm ended with ${status}`})`
}
