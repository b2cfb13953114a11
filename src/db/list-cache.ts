import type { Db } from './connect.ts'
import { VersionLookups } from './list-versions.ts'

const MAX_TOTALS = 5_000
const MAX_PAGES = 1_000

export type Counted = { version: number; total: number }

/** A page at a list version. The body is cached from the second read: most pages are never requested again unchanged. */
export type CachedPage = { version: number; etag: string; body: Buffer | null }

/**
 * Cache of list totals and pages. Each entry has the list version at which it was read; VersionLookups reports the current
 * version, so stale entries are detected. One per process.
 */
export class ListCache {
  readonly versions: VersionLookups
  readonly #maxBytes: number
  readonly #totals = new Map<string, Counted>()
  readonly #counting = new Map<string, Promise<Counted>>()
  /** In order of use: the least recently read page first. */
  readonly #pages = new Map<string, CachedPage>()
  /** Size of bodies and keys; keys contain the callers' search texts. */
  #bytes = 0

  constructor(db: Db, maxBytes: number) {
    this.versions = new VersionLookups(db)
    this.#maxBytes = maxBytes
  }

  total(key: string): Counted | undefined {
    return this.#totals.get(key)
  }

  setTotal(key: string, counted: Counted): void {
    if (this.#totals.size >= MAX_TOTALS) this.#totals.clear()
    this.#totals.set(key, counted)
  }

  /** The total at this version or a later one: the cached one, or that of a count, which concurrent callers share. */
  async count(key: string, version: number, count: () => Promise<Counted>): Promise<Counted> {
    const kept = this.#totals.get(key)
    if (kept?.version === version) return kept
    const early = await this.#counting.get(key)
    if (early && early.version >= version) return early
    // One that another caller has started since then is late enough.
    return await (this.#counting.get(key) ?? this.#start(key, count))
  }

  #start(key: string, count: () => Promise<Counted>): Promise<Counted> {
    const started = count()
      .then((counted) => {
        this.setTotal(key, counted)
        return counted
      })
      .finally(() => this.#counting.delete(key))
    this.#counting.set(key, started)
    return started
  }

  page(key: string): CachedPage | undefined {
    return this.#pages.get(key)
  }

  setPage(key: string, { version, etag, text }: { version: number; etag: string; text: string }): void {
    const isRepeated = this.#pages.get(key)?.version === version
    this.#drop(key)
    // One large page must not evict all others.
    const body = isRepeated && text.length <= this.#maxBytes / 8 ? Buffer.from(text) : null
    this.#pages.set(key, { version, etag, body })
    this.#bytes += key.length + (body?.length ?? 0)
    for (const oldest of this.#pages.keys()) {
      if (this.#pages.size <= MAX_PAGES && this.#bytes <= this.#maxBytes) break
      this.#drop(oldest)
    }
  }

  #drop(key: string): void {
    const page = this.#pages.get(key)
    if (!page) return
    this.#bytes -= key.length + (page.body?.length ?? 0)
    this.#pages.delete(key)
  }
}
