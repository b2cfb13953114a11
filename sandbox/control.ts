import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { manifestOf, truthAt } from './manifest.ts'
import type { Outage, SandboxResponse } from './types.ts'
import type { Fault } from './world/types.ts'
import type { CompanyChange, LiveWorld, NewArticle, NewStory } from './world.ts'

export type Control = AsyncDisposable & {
  /** `http://127.0.0.1:port`. */
  url: string
}

/** The commands by path; errors are returned to the caller. */
const COMMANDS: Record<string, (world: LiveWorld, body: Record<string, unknown>) => unknown> = {
  publish: (world, { domain, ...article }) => ({ url: world.publish(String(domain), newArticle(article)).url }),
  change: (world, { domain, ...change }) => world.change(String(domain), change as CompanyChange),
  move: (world, { full_name, from, to, title }) => ({
    url: world.move(String(full_name), String(from), String(to), String(title)).url,
  }),
  redeploy: (world, { domain }) => world.redeploy(String(domain)),
  fault: (world, { domain, fault = null }) => world.fault(String(domain), oneOf(FAULTS, fault)),
  outage: (world, { vendor, outage = null }) => world.outage(String(vendor), oneOf(OUTAGES, outage)),
  tell: (world, story) => world.publishStory(story as NewStory),
}

const FAULTS: readonly Fault[] = ['drop', 'stall', 'error', 'garbage', 'slow']
const OUTAGES: readonly Outage[] = ['error', 'garbage', 'misshapen', 'busy', 'stall', 'drop']

function oneOf<T extends string>(values: readonly T[], value: unknown): T | null {
  if (value === null || values.includes(value as T)) return value as T | null
  throw new Error(`${String(value)} is not one of ${values.join(', ')}.`)
}

function newArticle(given: Record<string, unknown>): NewArticle {
  if (typeof given.title !== 'string' || typeof given.text !== 'string') {
    throw new Error('An article needs a title and a text.')
  }
  return given as NewArticle
}

/** The time machine over plain HTTP on loopback, for use with curl: `GET /` lists the commands. */
export async function startControl(
  world: LiveWorld,
  {
    host = '127.0.0.1',
    port = 0,
    pages = {},
  }: { host?: string; port?: number; pages?: Record<string, () => SandboxResponse> } = {},
): Promise<Control> {
  async function answer(request: IncomingMessage): Promise<{ status: number; body: unknown }> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://control')
    // Prevents DNS rebinding: a web page in a local browser must not reach the control server under another host name.
    if (!/^(127\.0\.0\.1|localhost):\d+$/.test(request.headers.host ?? '')) {
      return { status: 403, body: { error: 'Call 127.0.0.1.' } }
    }
    const name = pathname.slice(1)
    try {
      if (request.method === 'GET') {
        const domain = searchParams.get('domain')
        if (name === 'manifest') return { status: 200, body: domain ? truthAt(world, domain) : manifestOf(world) }
        if (name === 'companies')
          return { status: 200, body: world.companies.map(({ name, domain }) => ({ name, domain })) }
        if (name === '') return { status: 200, body: usage(url) }
      }
      const command = Object.hasOwn(COMMANDS, name) && request.method === 'POST' ? COMMANDS[name] : null
      if (!command) return { status: 404, body: { error: `GET ${url}/ lists the commands.` } }
      return {
        status: 200,
        body: command(world, JSON.parse(await text(request)) as Record<string, unknown>) ?? { done: true },
      }
    } catch (error) {
      return { status: 400, body: { error: (error as Error).message } }
    }
  }

  const server = createServer((request, response) => {
    const page = request.method === 'GET' ? pages[(request.url ?? '').slice(1)]?.() : undefined
    if (page) return void response.writeHead(page.status, page.headers).end(page.body)
    answer(request).then(({ status, body }) => {
      const type = typeof body === 'string' ? 'text/plain; charset=utf-8' : 'application/json'
      response.writeHead(status, { 'content-type': type })
      response.end(typeof body === 'string' ? body : `${JSON.stringify(body, null, 2)}\n`)
    })
  })
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject).listen(port, host, resolve)
  await promise
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    [Symbol.asyncDispose]() {
      const closed = Promise.withResolvers<void>()
      server.close(() => closed.resolve())
      server.closeAllConnections()
      return closed.promise
    },
  }
}

export function usage(url: string): string {
  return `The time machine of the sandbox.

A company publishes something new:
  curl -s ${url}/publish -d '{"domain": "halden-robotics.example", "title": "Halden Robotics opens office in Osaka", "text": "OSAKA, {date} – Halden Robotics today opened its first office in Japan."}'
A person joins or leaves, or a position opens:
  curl -s ${url}/change -d '{"domain": "anvilry.example", "join": "Jana Petrik, Chief Financial Officer [email]", "open": "Data Engineer, Engineering, 0"}'
A person moves to another company, which announces it:
  curl -s ${url}/move -d '{"full_name": "Tyler Osgood", "from": "quillstack.example", "to": "halden-robotics.example", "title": "Chief Revenue Officer"}'
A site is redeployed without new content:
  curl -s ${url}/redeploy -d '{"domain": "anvilry.example"}'
A site fails (${FAULTS.join(', ')}), or recovers (null):
  curl -s ${url}/fault -d '{"domain": "anvilry.example", "fault": "error"}'
A vendor fails (${OUTAGES.join(', ')}), or recovers (null):
  curl -s ${url}/outage -d '{"vendor": "hacker-news", "outage": "busy"}'
The manifest of a company, and the list of companies:
  curl -s '${url}/manifest?domain=halden-robotics.example'
  curl -s ${url}/companies
`
}
