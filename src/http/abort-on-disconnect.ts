import type { FastifyReply } from 'fastify'
import { AppError } from '../shared/errors.ts'

/** A signal that aborts when the caller disconnects before the response, so that the work can stop. */
export function abortOnDisconnect({ raw }: Pick<FastifyReply, 'raw'>): AbortSignal {
  const gone = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort(new AppError('request_timeout', 'The caller has disconnected.'))
  })
  return gone.signal
}
