import type { Command } from 'commander'
import { createLogger } from '../app/log.ts'
import { openMailer, openOutbound, readCertificates } from '../app/service.ts'
import { type Config, loadConfig } from '../config/config.ts'
import { checkNetwork } from '../providers/preflight/network.ts'
import { SetupError } from '../shared/errors.ts'
import { type Check, checkConfiguration, checkDatabase, checkMachine } from './doctor-checks.ts'
import { EXIT_CODES } from './terminal/exit-codes.ts'
import type { TerminalIo } from './terminal/io.ts'
import { sanitizedJson, sanitizeLine } from './terminal/sanitize.ts'

const LIMIT_MS = 20_000
const WORDS = { works: 'ok', warning: 'warn', failing: 'FAILS', off: 'off' } as const

export function doctorCommand(program: Command, io: TerminalIo): void {
  program
    .command('doctor')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const { config, wrong } = readConfig(io.env)
      const checks = [...wrong.map(invalidVariable), ...(await runChecks(config))]
      io.stdout.write(json ? `${sanitizedJson(checks, 2)}\n` : format(checks))
      if (checks.some(({ state }) => state === 'failing')) io.setExitCode(EXIT_CODES.work_failed)
    })
}

async function runChecks(config: Config): Promise<Check[]> {
  const log = createLogger({ ...config, LOG_LEVEL: 'silent' }, 2)
  await using outbound = openOutbound(config, log)
  const mailer = openMailer(config)
  try {
    // First, because name servers that do not respond would delay the lookup of its host, too.
    const database = await checkDatabase(config, log)
    const signal = AbortSignal.timeout(LIMIT_MS)
    const [network, machine] = await Promise.all([
      checkNetwork({ config, outbound, mailer }, signal),
      checkMachine(config, outbound, signal),
    ])
    const reachability = network.map((check) => ({ group: 'Reachability' as const, ...check }))
    return [...reachability, ...checkConfiguration(config), ...machine, ...database]
  } finally {
    mailer?.close()
  }
}

/** The configuration without its invalid variables, and the messages about them. */
function readConfig(env: NodeJS.ProcessEnv, wrong: string[] = []): { config: Config; wrong: string[] } {
  try {
    const config = loadConfig(env)
    readCertificates(config)
    return { config, wrong }
  } catch (error) {
    if (!(error instanceof SetupError)) throw error
    const messages = error.message.split('\n')
    // Every variable that a message names: MAIL_FROM is missing only because SMTP_URL is set. A secret may come from a file.
    const named = messages.flatMap((message) => message.match(/\b[A-Z][A-Z0-9_]+\b/g) ?? [])
    const left = new Set(named.flatMap((name) => [name, `${name}_FILE`]))
    const rest = Object.entries(env).filter(([name]) => !left.has(name))
    if (rest.length === Object.keys(env).length) throw error
    return readConfig(Object.fromEntries(rest), [...wrong, ...messages])
  }
}

const invalidVariable = (message: string): Check => ({
  group: 'Configuration',
  id: 'variable',
  label: message.split(' ', 1)[0] as string,
  state: 'failing',
  message: `${message} The service does not start with it.`,
})

function format(checks: readonly Check[]): string {
  return [...Map.groupBy(checks, ({ group }) => group)]
    .map(([group, ofGroup]) => {
      const lines = ofGroup.map(({ label, state, message }) => `  ${WORDS[state].padEnd(6)} ${label}: ${message}`)
      return `${group}\n${lines.map((line) => `${sanitizeLine(line)}\n`).join('')}`
    })
    .join('\n')
}
