import type { FastifyReply } from 'fastify'

/** Sends a page that the database has written already. Its shape is held by the tests, which validate every answer. */
export async function sendPage(reply: FastifyReply, page: Promise<string>): Promise<never> {
  const text = await page
  return reply.type('application/json; charset=utf-8').send(text) as never
}
