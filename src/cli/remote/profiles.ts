import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { CliError, EXIT_CODES } from '../terminal/exit-codes.ts'
import type { TerminalIo } from '../terminal/io.ts'

export type Profile = {
  url: string
  key: string
  /** Whether the key may be sent over plain http to a public address. */
  insecure?: boolean
}
export type Profiles = { current: string | null; profiles: Record<string, Profile> }

export const DEFAULT_PROFILE = 'default'

export function profilesFile(env: TerminalIo['env']): string {
  return join(env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config'), 'bellwether', 'profiles.json')
}

/** Reads the stored profiles; none when there is no file. */
export function readProfiles(env: TerminalIo['env']): Profiles {
  const file = profilesFile(env)
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { current: null, profiles: Object.create(null) }
    throw new CliError(EXIT_CODES.failed, `The profiles in ${file} cannot be read: ${(error as Error).message}`)
  }
  const read = parse(text)
  if (!read)
    throw new CliError(
      EXIT_CODES.failed,
      `${file} is not a valid profile file. Remove it and run "bellwether login" again.`,
    )
  return read
}

function parse(text: string): Profiles | null {
  try {
    const read = JSON.parse(text) as Profiles
    const whole = Object.values(read.profiles).every(
      ({ url, key }) => typeof url === 'string' && typeof key === 'string',
    )
    // Without a prototype, because a profile may have any name.
    return whole ? { current: read.current ?? null, profiles: Object.assign(Object.create(null), read.profiles) } : null
  } catch {
    return null
  }
}

/** Writes the profiles readable only by this user, and atomically: a concurrent reader sees the old or the new file. */
export function writeProfiles(env: TerminalIo['env'], profiles: Profiles): void {
  const file = profilesFile(env)
  const folder = dirname(file)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  chmodSync(folder, 0o700)
  const written = `${file}.${process.pid}`
  // A leftover of a process that was killed would keep its permissions.
  rmSync(written, { force: true })
  writeFileSync(written, `${JSON.stringify(profiles, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
  renameSync(written, file)
}

/** The profile with this name. Throws a CliError when there is none. */
export function requireProfile({ profiles }: Profiles, name: string): Profile {
  const found = profiles[name]
  if (found) return found
  const known = Object.keys(profiles)
  const hint = known.length > 0 ? `There are: ${known.join(', ')}.` : 'There are no profiles yet.'
  throw new CliError(
    EXIT_CODES.not_found,
    `No profile is called ${name}. ${hint} "bellwether login --profile ${name}" adds it.`,
  )
}
