import { once } from 'node:events'
import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net'

/**
 * What the network does to a connection: `pass` forwards bytes both ways; `black-hole` accepts and drops them without an
 * error; `delay` forwards each chunk a number of milliseconds later; `cut` breaks the connection after a number of bytes of
 * the response; `refuse` breaks every new one at once.
 */
export type Weather =
  | { kind: 'pass' }
  | { kind: 'black-hole' }
  | { kind: 'delay'; ms: number }
  | { kind: 'cut'; afterBytes: number }
  | { kind: 'refuse' }

export type Proxy = {
  port: number
  /** Open connections to the service. */
  readonly open: number
  /** Connections so far. */
  readonly made: number
  /** The behaviour from now on, for open connections and new ones; with `open`, new ones keep the current behaviour. */
  set: (weather: Weather, scope?: 'all' | 'open' | 'new') => void
  /** Resets all open connections, as a router does that drops its state. */
  breakOpen: () => void
} & AsyncDisposable

type Link = { client: Socket; server: Socket; weather: Weather; answered: number }

/** An unreliable network on loopback, between the service and one peer. */
export async function startProxy(target: { host?: string; port: number } | { path: string }): Promise<Proxy> {
  const links = new Set<Link>()
  let weather: Weather = { kind: 'pass' }
  let made = 0

  const end = (link: Link) => {
    links.delete(link)
    link.client.resetAndDestroy()
    link.server.destroy()
  }
  const carry = (link: Link, to: Socket, chunk: Buffer) => {
    switch (link.weather.kind) {
      case 'black-hole':
        return
      case 'delay':
        setTimeout(() => to.write(chunk), link.weather.ms)
        return
      case 'cut': {
        const left = link.weather.afterBytes - link.answered
        if (to === link.client) link.answered += chunk.length
        if (to !== link.client || chunk.length < left) to.write(chunk)
        else to.write(chunk.subarray(0, Math.max(0, left)), () => end(link))
        return
      }
      default:
        to.write(chunk)
    }
  }
  const close = (link: Link, other: Socket) => {
    // In a black hole the peer does not learn that the other side has disconnected.
    if (link.weather.kind === 'black-hole') return
    links.delete(link)
    other.destroySoon()
  }

  const listener = createServer((client) => {
    if (weather.kind === 'refuse') return void client.resetAndDestroy()
    made++
    const server = 'path' in target ? createConnection(target.path) : createConnection(target.port, target.host)
    const link: Link = { client, server, weather, answered: 0 }
    links.add(link)
    client.on('data', (chunk) => carry(link, server, chunk))
    server.on('data', (chunk) => carry(link, client, chunk))
    client.on('error', () => {}).on('close', () => close(link, server))
    server.on('error', () => {}).on('close', () => close(link, client))
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')

  return {
    port: (listener.address() as AddressInfo).port,
    get open() {
      return links.size
    },
    get made() {
      return made
    },
    set(next, scope = 'all') {
      if (scope !== 'open') weather = next
      if (scope !== 'new') for (const link of links) Object.assign(link, { weather: next, answered: 0 })
    },
    breakOpen() {
      for (const link of links) end(link)
    },
    async [Symbol.asyncDispose]() {
      for (const link of links) end(link)
      listener.close()
      await once(listener, 'close')
    },
  }
}
