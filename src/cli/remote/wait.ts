import { type Schemas, WorkFailed } from '@bellwether/client'
import { CliError, EXIT_CODES } from '../terminal/exit-codes.ts'
import { ProgressDisplay } from '../terminal/progress.ts'
import type { CommandSession } from './session.ts'

type Show = (share: number | null, text: string) => void

/** Waits for work of the service and shows its progress. Ctrl-C ends the wait, not the work. */
export async function waitWithProgress<T>(
  { io, err, quiet }: CommandSession,
  { what, resumeCommand }: { what: string; resumeCommand: string },
  work: (signal: AbortSignal, show: Show) => Promise<T>,
): Promise<T> {
  const progress = new ProgressDisplay(err, quiet)
  const stop = new AbortController()
  const message = `Stopped waiting. ${what} continues; resume waiting with: bellwether ${resumeCommand}`
  const restore = io.onInterrupt(() => stop.abort(new CliError(EXIT_CODES.interrupted, message)))
  try {
    return await work(stop.signal, (share, text) => progress.show(share, text))
  } finally {
    restore()
    progress.end()
  }
}

/** Waits for a scan or a discovery. Throws WorkFailed when it has failed. */
export function waitForRun(session: CommandSession, id: string, what = 'The run'): Promise<Schemas['FullRun']> {
  return waitWithProgress(session, { what, resumeCommand: `runs wait ${id}` }, (signal, show) =>
    session.client.waitForRun(id, { signal, onProgress: (run) => show(...progressOfRun(run)) }),
  )
}

/** Waits for a push in the background. Also returns a failed push, so that its counts and errors are printed. */
export function waitForPush(session: CommandSession, id: string): Promise<Schemas['PushRun']> {
  return waitWithProgress(session, { what: 'The push', resumeCommand: `runs wait ${id}` }, (signal, show) =>
    session.client.waitForPush(id, {
      signal,
      onProgress: ({ sent, failed, skipped, total }) =>
        show(
          (sent + failed + skipped) / Math.max(1, total),
          `${sent} of ${total} sent${failed ? `, ${failed} failed` : ''}`,
        ),
    }),
  ).catch((error: unknown) => {
    if (error instanceof WorkFailed) return error.record as Schemas['PushRun']
    throw error
  })
}

function progressOfRun({ jobs, stats, account_id }: Schemas['FullRun']): [number | null, string] {
  if (account_id) {
    const done = jobs.filter(({ state }) => state !== 'pending').length
    const read = stats.documents ? `, ${stats.documents} documents read` : ''
    return [jobs.length > 0 ? done / jobs.length : null, `${done} of ${jobs.length} signals checked${read}`]
  }
  const { candidates, pending = candidates, matched } = stats
  return [
    candidates > 0 ? (candidates - pending) / candidates : null,
    `${candidates - pending} of ${candidates} companies checked, ${matched} matched`,
  ]
}
