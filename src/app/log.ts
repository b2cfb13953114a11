import { type Logger, pino } from 'pino'
import type { Config } from '../config/config.ts'

/**
 * The last net before a line leaves the process: whatever was logged, API keys, sessions, sign-in links, signing secrets, bearer tokens and
 * email addresses do not appear. Each pattern is bounded, so a long line costs linear time.
 */
export function redactSecrets(line: string): string {
  const safe = line
    .replace(/\b(bw[sl]?_|whsec_|xox[a-z]-)[\w+/=-]{4,200}/g, '$1[redacted]')
    .replace(/\b(Bearer|Basic) [\w.~+/=-]{4,4000}/gi, '$1 [redacted]')
  // Asked first: the pattern tries every letter of a line as the beginning of an address.
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

/** `fd` 2 where stdout is for the answer of a command. */
export function createLogger(config: Pick<Config, 'LOG_LEVEL' | 'LOG_FORMAT'>, fd: 1 | 2 = 1): Logger {
  const pretty = config.LOG_FORMAT === 'pretty' || (config.LOG_FORMAT === 'auto' && process.stdout.isTTY)
  const options = {
    level: config.LOG_LEVEL,
    redact: { paths: REDACTED_FIELDS.flatMap((field) => [field, `*.${field}`]), censor: '[redacted]' },
    hooks: { streamWrite: redactSecrets },
  }
  if (!pretty) {
    outlets[fd] ??= new Lines(fd)
    return pino(options, outlets[fd])
  }
  return pino({
    ...options,
    transport: {
      target: 'pino-pretty',
      options: { destination: fd, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss' },
    },
  })
}

/** One for all loggers of a process: each listens for its end. */
const outlets: Partial<Record<1 | 2, Lines>> = {}

/** A busy service writes a hundred lines at once, and none stays here for longer than anybody notices. */
const HELD_MS = 20
const MAX_HELD = 500

/**
 * Lines on their way out. They are written together and in the background: a write for each, even one that nobody waits
 * for, took a tenth of the time of a request. What is left is written at exit.
 */
class Lines {
  readonly #out: ReturnType<typeof pino.destination>
  #held: string[] = []
  #timer: NodeJS.Timeout | undefined

  constructor(fd: 1 | 2) {
    // Before those of pino, which end the file.
    for (const event of ['beforeExit', 'exit'] as const) process.on(event, () => this.flush())
    this.#out = pino.destination({ dest: fd, sync: false })
  }

  write(line: string): void {
    this.#held.push(line)
    if (this.#held.length >= MAX_HELD) this.flush()
    else this.#timer ??= setTimeout(() => this.flush(), HELD_MS).unref()
  }

  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#held.length === 0) return
    this.#out.write(this.#held.join(''))
    this.#held = []
  }
}
