import type { FastifyReply, FastifyRequest } from 'fastify'

/**
 * Whether the caller asks for a run in the background: by `Prefer: respond-async` (RFC 7240), which the answer then
 * confirms, or by `retry: true` in the body.
 */
export function wantsBackground(
  { headers, body }: Pick<FastifyRequest, 'headers'> & { body: { retry?: boolean } },
  reply: FastifyReply,
): boolean {
  const preferences = [headers.prefer ?? []].flat().flatMap((line) => line.split(','))
  const prefersAsync = preferences.some((one) => /^\s*respond-async\s*(;|$)/i.test(one))
  if (prefersAsync) reply.header('preference-applied', 'respond-async')
  return prefersAsync || body.retry === true
}
