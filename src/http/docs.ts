import Fastify, { type FastifyInstance } from 'fastify'

const PAGE = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Bellwether API</title></head>
<body><div id="app"></div><script src="/docs/scalar.js"></script><script src="/docs/start.js"></script></body>
</html>
`

/** Reads an API key from the URL fragment, which the browser never sends to the server. */
const START = `const token = new URLSearchParams(location.hash.slice(1)).get('key') ?? ''
if (token) history.replaceState(null, '', location.pathname)
Scalar.createApiReference('#app', {
  url: '/openapi.json',
  authentication: { preferredSecurityScheme: 'apiKey', securitySchemes: { apiKey: { token } } },
  telemetry: false,
  withDefaultFonts: false,
})
`

const POLICY =
  "default-src 'none'; script-src 'self' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Serves the API reference page, with no external resources. */
export function registerDocs(app: FastifyInstance): void {
  const schema = { hide: true }
  const config = { headers: { 'content-security-policy': POLICY } }
  let script: Promise<string> | undefined

  app.get('/docs', { schema, config }, (_request, reply) => {
    return reply.type('text/html; charset=utf-8').send(PAGE)
  })
  app.get('/docs/start.js', { schema }, (_request, reply) => reply.type('text/javascript; charset=utf-8').send(START))
  app.get('/docs/scalar.js', { schema }, async (_request, reply) => {
    script ??= loadScalar()
    return reply
      .type('text/javascript; charset=utf-8')
      .header('cache-control', 'public, max-age=3600')
      .send(await script)
  })
}

/** Scalar's bundle is inside its Fastify plugin. Loading takes a third of a second, so it is deferred to the first request. */
async function loadScalar(): Promise<string> {
  const { default: plugin } = await import('@scalar/fastify-api-reference')
  const host = Fastify()
  host.register(plugin, { routePrefix: '/docs', configuration: { url: '/openapi.json' } })
  const { body } = await host.inject('/docs/js/scalar.js')
  await host.close()
  return body
}
