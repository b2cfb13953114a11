import type { FastifyInstance } from 'fastify'
import { clientOf } from './client-address.ts'
import type { Guesses } from './guessing.ts'
import type { RateLimit } from './rate-limit.ts'

const MAX_LENGTH = 4_000

type ConsentAnswer = { state?: string | undefined; code?: string | undefined; error?: string | undefined }

/** Connects with the consent that came back; answers a sentence for the person who gave it. */
export type TakeConsent = (answer: ConsentAnswer) => Promise<{ ok: boolean; sentence: string }>

/** Where a vendor sends a person back to after their consent. It knows them by the state it was sent with, not by a key. */
export function registerOauthCallback(
  app: FastifyInstance,
  takeConsent: TakeConsent,
  limit: RateLimit,
  guesses: Guesses,
): void {
  app.get('/oauth/callback', { schema: { hide: true } }, async (request, reply) => {
    const client = clientOf(request.ip)
    limit.take(client, reply)
    const query = request.query as Record<string, unknown>
    const text = (name: string) => {
      const value = query[name]
      return typeof value === 'string' && value.length <= MAX_LENGTH ? value : undefined
    }
    const { ok, sentence } = await takeConsent({ state: text('state'), code: text('code'), error: text('error') })
    // A state has 256 random bits, so a right one is taken whatever others behind the same address tried.
    if (!ok) guesses.wrong(client)
    return reply
      .code(ok ? 200 : 400)
      .type('text/html; charset=utf-8')
      .send(
        `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Bellwether</title></head><body><p>${escaped(sentence)}</p><p><a href="/settings/connections">Back to the settings</a></p></body></html>\n`,
      )
  })
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
}
