import { isUtf8 } from 'node:buffer'
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { UNSTORABLE_ESCAPE } from '../engine/text/storable.ts'
import { AppError } from '../shared/errors.ts'
import { invalidTextError, rejectInvalidText } from './reject-invalid-text.ts'

/** Deeper than any body of the API; bounds recursive functions over a body. */
const MAX_DEPTH = 64

/** Accepts only JSON in UTF-8, uncompressed. Text that cannot be stored is rejected, unless a later check does that (`passes`). */
export function parseJsonBodies(app: FastifyInstance, unstorable: 'refused' | 'passes' = 'refused'): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const bytes = body as Buffer
    const refusal = checkEncoding(request.headers)
    if (refusal) return done(refusal)
    if (isDeeperThan(MAX_DEPTH, bytes)) {
      return done(new AppError('invalid_request', `The body is nested more than ${MAX_DEPTH} levels deep.`))
    }
    if (!isUtf8(bytes)) return done(invalidTextError('body'))
    const text = bytes.toString('utf8')
    if (text.trim() === '') return done(null, undefined)
    parse(request, text, (error, value) => {
      if (error) return done(new AppError('invalid_request', 'The body is not valid JSON.'))
      try {
        // Tested on the text first, so that nearly every body needs no traversal.
        if (unstorable === 'refused' && UNSTORABLE_ESCAPE.test(text)) rejectInvalidText(value, 'body')
      } catch (refusal) {
        return done(refusal as AppError)
      }
      done(null, value)
    })
  })
}

function checkEncoding({
  'content-type': type = '',
  'content-encoding': encoding,
}: IncomingHttpHeaders): AppError | null {
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(type)?.[1]
  if (charset && !/^(utf-?8|us-ascii)$/i.test(charset))
    return new AppError('unsupported_media_type', 'Send the body in UTF-8.')
  if (encoding && encoding.toLowerCase() !== 'identity') {
    return new AppError('unsupported_media_type', 'Send the body as it is, without Content-Encoding.')
  }
  return null
}

const [QUOTE, BACKSLASH, OPENING, CLOSING] = [0x22, 0x5c, [0x5b, 0x7b], [0x5d, 0x7d]] as const

/** Checked on the bytes: a parser would build the whole tree before its depth is known. */
function isDeeperThan(limit: number, bytes: Buffer): boolean {
  if (bytes.length <= limit) return false
  let depth = 0
  let quoted = false
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number
    if (quoted) {
      if (byte === BACKSLASH) at++
      else if (byte === QUOTE) quoted = false
    } else if (byte === QUOTE) quoted = true
    else if (byte === OPENING[0] || byte === OPENING[1]) {
      if (++depth > limit) return true
    } else if (byte === CLOSING[0] || byte === CLOSING[1]) depth--
  }
  return false
}
