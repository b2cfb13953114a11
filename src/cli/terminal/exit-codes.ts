import { ApiError, Unreachable, WorkFailed } from '@bellwether/client'
import { NameError } from '@bellwether/client/names'

/** Exit codes; docs/cli.md and --help list them. */
export const EXIT_CODES = {
  done: 0,
  failed: 1,
  usage: 2,
  not_found: 3,
  not_allowed: 4,
  unavailable: 5,
  work_failed: 6,
  interrupted: 130,
} as const

export const EXIT_CODES_HELP = `Exit codes:
  0    done
  1    rejected by the service, or an unexpected error
  2    wrong usage: an option, an argument or a value
  3    not found
  4    not allowed: no key, a wrong key, or one that may not do this
  5    the service is unreachable or busy; retry later
  6    the work ran and failed, completely or in part
  130  interrupted with Ctrl-C`

/** Ends the command with this message and exit code. */
export class CliError extends Error {
  override readonly name = 'CliError'
  readonly exitCode: number

  constructor(exitCode: number, message: string) {
    super(message)
    this.exitCode = exitCode
  }
}

const BY_STATUS: Readonly<Record<number, number>> = {
  400: EXIT_CODES.usage,
  401: EXIT_CODES.not_allowed,
  403: EXIT_CODES.not_allowed,
  404: EXIT_CODES.not_found,
  408: EXIT_CODES.unavailable,
  429: EXIT_CODES.unavailable,
  502: EXIT_CODES.unavailable,
  503: EXIT_CODES.unavailable,
  504: EXIT_CODES.unavailable,
}

/** The exit code for an error code of the service. */
export function exitCodeForRefusal(code: string, status?: number): number {
  if (/^unknown_|^not_found$/.test(code)) return EXIT_CODES.not_found
  if (code === 'forbidden') return EXIT_CODES.not_allowed
  return BY_STATUS[status ?? 0] ?? EXIT_CODES.failed
}

export function exitCodeForError(error: unknown): number {
  if (error instanceof CliError) return error.exitCode
  if (error instanceof NameError) return error.problem.reason === 'ambiguous' ? EXIT_CODES.usage : EXIT_CODES.not_found
  if (error instanceof ApiError) return exitCodeForRefusal(error.code, error.status)
  if (error instanceof Unreachable) return EXIT_CODES.unavailable
  if (error instanceof WorkFailed) return EXIT_CODES.work_failed
  return EXIT_CODES.failed
}

/** The message for stderr. A server error includes the request id, under which the service has logged it. */
export function errorMessage(error: unknown): string {
  if (error instanceof ApiError && error.status >= 500 && error.requestId)
    return `${error.message} (request ${error.requestId})`
  if (error instanceof Unreachable) return error.message + causeOfUnreachable(error)
  return error instanceof Error ? error.message : String(error)
}

/** The system error code, such as ECONNREFUSED or CERT_HAS_EXPIRED, which identifies the cause. */
function causeOfUnreachable({ cause }: Unreachable): string {
  const code = cause instanceof Error ? (cause.cause as NodeJS.ErrnoException | undefined)?.code : undefined
  return code ? ` (${code})` : ''
}
