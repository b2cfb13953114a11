import type { Command } from 'commander'
import { createLogger } from '../app/log.ts'
import { openMailer, openOutbound } from '../app/service.ts'
import { loadConfig } from '../config/config.ts'
import { checkNetwork } from '../providers/preflight/network.ts'
import { EXIT_CODES } from './terminal/exit-codes.ts'
import type { TerminalIo } from './terminal/io.ts'
import { sanitizedJson } from './terminal/sanitize.ts'

const LIMIT_MS = 20_000
const WORDS = { works: 'ok', failing: 'FAILS', off: 'off' } as const

export function doctorCommand(program: Command, io: TerminalIo): void {
  program
    .command('doctor')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const config = loadConfig()
      await using outbound = openOutbound(config, createLogger({ ...config, LOG_LEVEL: 'silent' }, 2))
      const mailer = openMailer(config)
      try {
        const checks = await checkNetwork({ config, outbound, mailer }, AbortSignal.timeout(LIMIT_MS))
        const lines = checks.map(({ label, state, message }) => `${WORDS[state].padEnd(6)} ${label}: ${message}\n`)
        io.stdout.write(json ? `${sanitizedJson(checks, 2)}\n` : lines.join(''))
        if (checks.some(({ state }) => state === 'failing')) io.setExitCode(EXIT_CODES.work_failed)
      } finally {
        mailer?.close()
      }
    })
}
