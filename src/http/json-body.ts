import { isUtf8 } from 'node:buffer'
import type { FastifyInstance } from 'fastify'
import { ESCAPED } from '../engine/storable.ts'
import { AppError } from '../errors.ts'
import { notText, refuseUnstorable } from './unstorable.ts'

/** Takes JSON and nothing else. */
export function parseJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const bytes = body as Buffer
    if (!isUtf8(bytes)) return done(notText('body'))
    const text = bytes.toString('utf8')
    if (text.trim() === '') return done(null, undefined)
    parse(request, text, (error, value) => {
      if (error) return done(new AppError('invalid_request', 'The body is not valid JSON.'))
      try {
        // Looked for in the text first: nearly every body passes without a walk.
        if (ESCAPED.test(text)) refuseUnstorable(value, 'body')
      } catch (refusal) {
        return done(refusal as AppError)
      }
      done(null, value)
    })
  })
}
