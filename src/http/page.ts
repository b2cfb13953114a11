import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ListCache } from '../db/list-cache.ts'
import type { ListPage, ListReader } from '../db/page-query.ts'
import { notFound } from '../shared/errors.ts'

/**
 * Sends a page that is already JSON text, or 304 when the caller's copy is current. It is not serialized with a schema: the
 * tests validate every response.
 */
export async function sendPage(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  lists: ListCache,
  read: (reader: ListReader) => Promise<ListPage>,
): Promise<never> {
  const { etag, body } = await read({ lists, ifNoneMatch: headers['if-none-match'] })
  if (etag !== null) reply.header('etag', etag)
  if (body === null) return reply.code(304).send() as never
  return reply.type('application/json; charset=utf-8').send(body) as never
}

/** Sends a record that is already JSON text. Throws not_found for null. */
export async function sendRecord(reply: FastifyReply, kind: string, written: Promise<string | null>): Promise<never> {
  const text = await written
  if (text === null) throw notFound(kind)
  return reply.type('application/json; charset=utf-8').send(`{"data":${text}}`) as never
}
