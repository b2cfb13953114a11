import type { FastifyInstance } from 'fastify'

/** Our forms are far smaller; URLSearchParams takes seconds for a megabyte of short fields. */
const MAX_FORM_BYTES = 16 * 1024

/** For a page with a form. With the default policy `no-referrer` the browser would send `Origin: null` with it. */
export const FORM_PAGE_HEADERS = {
  'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'referrer-policy': 'same-origin',
}

/** Parses the bodies of forms. */
export function acceptForms(app: FastifyInstance): void {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: MAX_FORM_BYTES },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(body as string))),
  )
}

/** A page without styles and scripts. `body` is HTML, `head` further elements of the head. */
export function formPage(body: string, head = ''): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Bellwether</title>${head}</head><body>${body}</body></html>\n`
}

export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
}
