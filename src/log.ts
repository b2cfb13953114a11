import { type Logger, pino } from 'pino'
import type { Config } from './config.ts'

/**
 * The last net before a line leaves the process: whatever was logged, API keys, sessions, sign-in links, signing secrets, bearer tokens and
 * email addresses do not appear. Each pattern is bounded, so a long line costs linear time.
 */
export function redact(line: string): string {
  return line
    .replace(/\b(bw[sl]?_|whsec_|xox[a-z]-)[\w+/=-]{4,200}/g, '$1[redacted]')
    .replace(/\b(Bearer|Basic) [\w.~+/=-]{4,4000}/gi, '$1 [redacted]')
    .replace(/[\w.+-]{1,64}(@|%40)[\w-]{1,63}(\.[\w-]{1,63}){1,8}/g, '[email]')
}

const REDACTED_FIELDS = [
  'authorization',
  'cookie',
  'set-cookie',
  'password',
  'secret',
  'token',
  'api_key',
  'key',
  'email',
  'phone',
]

/** `fd` 2 where stdout is for the answer of a command. */
export function createLogger(config: Pick<Config, 'LOG_LEVEL' | 'LOG_FORMAT'>, fd: 1 | 2 = 1): Logger {
  const pretty = config.LOG_FORMAT === 'pretty' || (config.LOG_FORMAT === 'auto' && process.stdout.isTTY)
  const options = {
    level: config.LOG_LEVEL,
    redact: { paths: REDACTED_FIELDS.flatMap((field) => [field, `*.${field}`]), censor: '[redacted]' },
    hooks: { streamWrite: redact },
  }
  // Written in the background: a write for every line would hold up every request. What is left is written at exit.
  if (!pretty) return pino(options, pino.destination({ dest: fd, sync: false }))
  return pino({
    ...options,
    transport: {
      target: 'pino-pretty',
      options: { destination: fd, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss' },
    },
  })
}
