import { type Logger, pino } from 'pino'
import type { Config } from '../config/config.ts'

/**
 * Removes API keys, sessions, sign-in links, signing secrets, bearer tokens, passwords in URLs and email addresses from a
 * log line, as a last check before it is written. Each pattern is bounded, so the time is linear in the length of the line.
 */
export function redactSecrets(line: string): string {
  const safe = line
    .replace(/\b(bw[sl]?_|whsec_|xox[a-z]-)[\w+/=-]{4,200}/g, '$1[redacted]')
    .replace(/\b(Bearer|Basic) [\w.~+/=-]{4,4000}/gi, '$1 [redacted]')
    .replace(/:\/\/[^\s/@"\\]{1,500}@/g, '://[redacted]@')
  // Checked first because the pattern tries every character as the start of an address.
  if (!safe.includes('@') && !safe.includes('%40')) return safe
  return safe.replace(/[\w.+-]{1,64}(@|%40)[\w-]{1,63}(\.[\w-]{1,63}){1,8}/g, '[email]')
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

/** `fd` 2 where a command prints its result on stdout. */
export function createLogger(config: Pick<Config, 'LOG_LEVEL' | 'LOG_FORMAT'>, fd: 1 | 2 = 1): Logger {
  const pretty = config.LOG_FORMAT === 'pretty' || (config.LOG_FORMAT === 'auto' && process.stdout.isTTY)
  const options = {
    level: config.LOG_LEVEL,
    redact: { paths: REDACTED_FIELDS.flatMap((field) => [field, `*.${field}`]), censor: '[redacted]' },
    hooks: { streamWrite: redactSecrets },
  }
  if (!pretty) {
    destinations[fd] ??= new BufferedLines(fd)
    return pino(options, destinations[fd])
  }
  return pino({
    ...options,
    transport: {
      target: 'pino-pretty',
      options: { destination: fd, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss' },
    },
  })
}

/** Shared by all loggers of the process, because each instance adds exit listeners. */
const destinations: Partial<Record<1 | 2, BufferedLines>> = {}

/** Long enough to write a hundred lines at once under load, short enough to be unnoticeable. */
const FLUSH_MS = 20
const MAX_BUFFERED_LINES = 500

/**
 * Buffers log lines and writes them together in the background: one asynchronous write per line took a tenth of the time
 * of a request. The rest is written at exit.
 */
class BufferedLines {
  readonly #out: ReturnType<typeof pino.destination>
  #lines: string[] = []
  #timer: NodeJS.Timeout | undefined

  constructor(fd: 1 | 2) {
    // Registered before the listeners of pino, which close the file.
    for (const event of ['beforeExit', 'exit'] as const) process.on(event, () => this.flush())
    this.#out = pino.destination({ dest: fd, sync: false })
  }

  write(line: string): void {
    this.#lines.push(line)
    if (this.#lines.length >= MAX_BUFFERED_LINES) this.flush()
    else this.#timer ??= setTimeout(() => this.flush(), FLUSH_MS).unref()
  }

  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#lines.length === 0) return
    this.#out.write(this.#lines.join(''))
    this.#lines = []
  }
}
