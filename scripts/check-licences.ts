// Checks the licence of every dependency, including tools, against an allow list. Part of `npm run check`.
//   node scripts/check-licences.ts [folder with a package-lock.json]; without it, the service and tools/
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Licences that require at most keeping their text. Adding another one here is a decision. */
const ALLOWED = new Set(
  'MIT MIT-0 ISC Apache-2.0 BSD-2-Clause BSD-3-Clause 0BSD Zlib Unlicense CC0-1.0 BlueOak-1.0.0 PostgreSQL'.split(' '),
)

/** Packages whose licence is missing or not on the list, and why they may be used. */
const EXCEPTIONS: { packages: RegExp; reason: string }[] = [
  { packages: /^@biomejs\/cli-/, reason: 'builds of @biomejs/biome for other platforms, under its licence' },
  { packages: /^@oxc-parser\/binding-/, reason: 'builds of oxc-parser for other platforms, under its licence (MIT)' },
  {
    packages: /^(axe-core|lightningcss(-.+)?)$/,
    reason: 'MPL-2.0: tools that test and build the console, used as they are; nothing of them is handed on',
  },
  { packages: /^argparse$/, reason: 'Python-2.0, which asks for no more than its text: a tool of a tool' },
]

type Locked = { license?: string; version?: string; link?: boolean }
type Manifest = { license?: string | { type?: string }; licenses?: { type?: string }[] }

/** Whether an SPDX expression is satisfied: one side of OR is enough, both of AND are needed. */
function isAllowed(expression: string): boolean {
  const text = expression.trim()
  for (const [word, meets] of [
    [' OR ', (parts: string[]) => parts.some(isAllowed)],
    [' AND ', (parts: string[]) => parts.every(isAllowed)],
  ] as const) {
    const parts = splitOutside(text, word)
    if (parts.length > 1) return meets(parts)
  }
  if (text.startsWith('(') && text.endsWith(')')) return isAllowed(text.slice(1, -1))
  return ALLOWED.has(text)
}

/** Splits outside of parentheses. */
function splitOutside(text: string, word: string): string[] {
  const parts: string[] = []
  let depth = 0
  let from = 0
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '(') depth++
    else if (text[at] === ')') depth--
    else if (depth === 0 && text.startsWith(word, at)) {
      parts.push(text.slice(from, at))
      from = at + word.length
    }
  }
  return [...parts, text.slice(from)]
}

function installedLicence(folder: string): string | null {
  const file = join(folder, 'package.json')
  if (!existsSync(file)) return null
  const { license, licenses } = JSON.parse(readFileSync(file, 'utf8')) as Manifest
  return (typeof license === 'string' ? license : (license?.type ?? licenses?.[0]?.type)) ?? null
}

/** The locked packages with the folder each is installed in. */
function lockedPackages(root: string): [string, Locked][] {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Record<string, Locked> }
  const packages = Object.entries(lock.packages).filter(([path, { link }]) => path !== '' && !link)
  return packages.map(([path, locked]) => [join(root, path), locked])
}

const roots = process.argv[2] ? [process.argv[2]] : ['.', 'tools']
const problems: string[] = []
const counts = new Map<string, number>()
for (const [path, { license, version }] of roots.flatMap(lockedPackages)) {
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
  const installed = installedLicence(path)
  const found = installed ?? license
  const said = `${name} ${version ?? ''}`
  if (installed && license && installed !== license)
    problems.push(`${said} is ${installed}, the lock file says ${license}`)
  const isException = EXCEPTIONS.some(({ packages }) => packages.test(name))
  if (isException || (found && isAllowed(found))) {
    const counted = isException ? 'by exception' : (found as string)
    counts.set(counted, (counts.get(counted) ?? 0) + 1)
  } else problems.push(`${said}: ${found ?? 'no licence is said'}`)
}
if (problems.length > 0) {
  console.error(`Licences that are not on the list of scripts/check-licences.ts:\n  ${problems.join('\n  ')}`)
  process.exitCode = 1
} else {
  const all = [...counts].sort((a, b) => b[1] - a[1]).map(([licence, count]) => `${licence} ${count}`)
  console.log(`licences: ${all.join(', ')}`)
}
