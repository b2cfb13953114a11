import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { isId } from '../shared/ids.ts'
import { clientKey } from './client-address.ts'
import type { RateLimit } from './rate-limit.ts'

const FORM = 'application/x-www-form-urlencoded'
/** A click contains the whole message, which has at most 50 blocks. */
const MAX_BYTES = 512 * 1024

export type InteractionHandler = {
  /** Accepts a signed click of a workspace's chat. Returns why it is refused; null when it is accepted. */
  take: (workspaceId: string, headers: IncomingHttpHeaders, body: Buffer) => Promise<string | null>
}

/** The address to which the chat sends clicks on buttons. The chat expects a response within three seconds. */
export function registerChatInteractions(app: FastifyInstance, handler: InteractionHandler, limit: RateLimit): void {
  app.register(async (app) => {
    // Counted before the form is parsed.
    app.addHook('onRequest', async (request, reply) => limit.take(clientKey(request.ip), reply))
    // Unparsed: the signature covers the bytes.
    app.addContentTypeParser(FORM, { parseAs: 'buffer', bodyLimit: MAX_BYTES }, (_request, body, done) => {
      done(null, body)
    })
    app.post('/chat/:workspace_id/interactions', { schema: { hide: true } }, async (request, reply) => {
      const { workspace_id } = request.params as { workspace_id: string }
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      const refusal = isId(workspace_id) ? await handler.take(workspace_id, request.headers, body) : 'Unknown address.'
      // An empty body keeps the message as it is.
      return reply
        .code(refusal === null ? 200 : 401)
        .type('text/plain; charset=utf-8')
        .send(refusal ?? '')
    })
  })
}
