import type { FastifyReply } from 'fastify'
import { AppError } from '../shared/errors.ts'

/** Aborted when the caller goes away before the answer: work that nobody waits for need not be done. */
export function abortOnDisconnect({ raw }: Pick<FastifyReply, 'raw'>): AbortSignal {
  const gone = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort(new AppError('request_timeout', 'The caller has gone.'))
  })
  return gone.signal
}
