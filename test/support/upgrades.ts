import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** One backup of each released version, made by scripts/write-upgrade-fixture.ts. */
export const UPGRADES = new URL('../fixtures/upgrades/', import.meta.url)

/** The key of these backups. */
export const UPGRADE_KEY = '22'.repeat(32)

/** The commit of each released version. */
export const RELEASES: Record<string, string> = { '0.1.0': 'd416aa5f' }

export const fixtureOf = (version: string) => fileURLToPath(new URL(`${version}.backup`, UPGRADES))

export const fixtureVersions = () => readdirSync(UPGRADES).map((file) => file.replace('.backup', ''))

/** Writes the code of a commit to a folder, with the installed packages of this one. False when the clone lacks the commit. */
export function checkOut(commit: string, folder: string): boolean {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const git = (...args: string[]) => spawnSync('git', ['-C', root, ...args], { maxBuffer: 2 ** 30 })
  if (git('cat-file', '-e', `${commit}^{commit}`).status !== 0) return false
  mkdirSync(folder, { recursive: true })
  const files = git('archive', commit, 'bin', 'src', 'sandbox', 'weights', 'package.json', 'packages', 'console')
  const unpacked = spawnSync('tar', ['x', '-C', folder], { input: files.stdout })
  if (files.status !== 0 || unpacked.status !== 0) throw new Error(`${commit} could not be unpacked: ${files.stderr}`)
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  return true
}
