import type { Host } from '../../sandbox/internet.ts'
import type { SandboxResponse, World } from '../../sandbox/types.ts'

/** A document that a source lists, about an account or only seemingly about it. */
export type PlantedItem = {
  /** The case that it stands for: a document about the account, a namesake, a rumour. */
  kind: string
  account: { name: string; domain: string }
  /** The address that a finding has as evidence, or that a stored open position has. */
  url: string
  /** The signal to detect at the account; null for a document that must not lead to a finding. */
  signal: string | null
}

/** The items of one kind of source, and what its vendor and other sites answer. */
export type Planted = {
  source: string
  items: PlantedItem[]
  world: Partial<World>
  hosts: ReadonlyMap<string, Host>
  /** The feeds of streams to read, and where reading continues. */
  feeds: readonly { stream: string; feed: string; state: object }[]
  /** Whether the accounts are scanned before the streams are read. */
  isScanned: boolean
  /** The accounts, by domain, whose scan must report that a source failed because of robots.txt. */
  disallowed: ReadonlySet<string>
}

/** Counts by kind of item, for the account of each item: found, and right. */
export type Outcome = { kind: string; planted: number; expected: number; found: number; right: number }

/** A page of the site of an account, with links to others. */
export function sitePage(title: string, text: string[], links: Record<string, string> = {}): SandboxResponse {
  const nav = Object.entries(links).map(([href, of]) => `<a href="${href}">${of}</a>`)
  const main = text.map((paragraph) => `<p>${paragraph}</p>`).join('\n')
  const body = `<!doctype html><html lang="en"><head><title>${title}</title></head><body><nav>${nav.join(' ')}</nav><main><h1>${title}</h1>${main}</main></body></html>`
  return { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body }
}

/** A site with these pages by path. */
export const siteOf =
  (pages: Record<string, SandboxResponse>): Host =>
  ({ url }) =>
    pages[url.pathname] ?? { status: 404 }
