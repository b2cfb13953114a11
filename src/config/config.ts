import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { InvalidValueError, type ValuesOf } from '../shared/config-values.ts'
import { SetupError } from '../shared/errors.ts'
import { VARIABLES } from './variables.ts'

export type Config = ValuesOf<typeof VARIABLES> & {
  /** The variables that the environment sets, with their texts; null for secrets. */
  readonly given: ReadonlyMap<string, string | null>
}

/** Larger files are no secrets, but mistakes. */
const MAX_SECRET_BYTES = 65_536

/** Reads the configuration from an environment. Throws SetupError with one line for each invalid variable. */
export function loadConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const wrong: string[] = []
  const given = new Map<string, string | null>()
  const values = Object.entries(VARIABLES).map(([name, { read, expected, default: fallback, isSecret }]) => {
    try {
      const text = isSecret ? readSecret(env, name) : env[name]
      if (text === undefined || text === '') return [name, fallback]
      given.set(name, isSecret ? null : text)
      return [name, read(text)]
    } catch (error) {
      if (error instanceof SetupError) wrong.push(error.message)
      else if (error instanceof InvalidValueError) {
        const problems = error.problems.length > 0 ? error.problems : [` must be ${expected}.`]
        wrong.push(...problems.map((problem) => name + problem))
      } else throw error
      return [name, fallback]
    }
  })
  const read = Object.fromEntries(values) as ValuesOf<typeof VARIABLES>
  // Checked at the start: otherwise the first mail would fail.
  if (given.has('SMTP_URL') && !given.has('MAIL_FROM')) wrong.push('MAIL_FROM must be set, because SMTP_URL is.')
  // Otherwise the Host header of a request would name the host that providers return to.
  if (read.OIDC_PROVIDERS.length > 0 && !given.has('PUBLIC_URL'))
    wrong.push('PUBLIC_URL must be set to the address that people open, because OIDC_PROVIDERS is.')
  if (read.BACKUP_EVERY_HOURS > 0 && !(given.has('BACKUP_TARGET') && given.has('BACKUP_KEY')))
    wrong.push('BACKUP_TARGET and BACKUP_KEY must be set, because BACKUP_EVERY_HOURS is.')
  if (wrong.length > 0) throw new SetupError(wrong.join('\n'))
  return Object.freeze({ ...read, DATA_DIR: resolve(read.DATA_DIR), given })
}

/** The value of a secret: from its variable, or from the file that NAME_FILE names. */
function readSecret(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const file = env[`${name}_FILE`]
  if (!file) return env[name]
  if (env[name]) throw new SetupError(`${name} and ${name}_FILE are both set: remove one of them.`)
  try {
    const { size } = statSync(file)
    if (size > MAX_SECRET_BYTES) throw new Error(`it has ${size} bytes, at most ${MAX_SECRET_BYTES} are read`)
    // Editors and `echo` end a file with a line break.
    const text = readFileSync(file, 'utf8').replace(/\r?\n$/, '')
    if (text === '') throw new Error('it is empty')
    return text
  } catch (error) {
    throw new SetupError(`${name}_FILE names a file that cannot be used: ${(error as Error).message}.`)
  }
}
