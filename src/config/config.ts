import { resolve } from 'node:path'
import { InvalidValueError, type ValuesOf } from '../shared/config-values.ts'
import { SetupError } from '../shared/errors.ts'
import { VARIABLES } from './variables.ts'

export type Config = ValuesOf<typeof VARIABLES>

/** Reads the configuration from an environment. Throws SetupError with one line for each invalid variable. */
export function loadConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const wrong: string[] = []
  const values = Object.entries(VARIABLES).map(([name, { read, expected, default: fallback }]) => {
    const given = env[name]
    if (given === undefined || given === '') return [name, fallback]
    try {
      return [name, read(given)]
    } catch (error) {
      if (!(error instanceof InvalidValueError)) throw error
      wrong.push(`${name} must be ${expected}.`)
      return [name, fallback]
    }
  })
  const read = Object.fromEntries(values) as Config
  // Checked at the start: otherwise the first mail would fail.
  if (env.SMTP_URL && !env.MAIL_FROM) wrong.push('MAIL_FROM must be set, because SMTP_URL is.')
  if (wrong.length > 0) throw new SetupError(wrong.join('\n'))
  return Object.freeze({ ...read, DATA_DIR: resolve(read.DATA_DIR) })
}
