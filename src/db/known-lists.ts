import type { Db } from './connect.ts'
import { VersionLookups } from './list-versions.ts'

const MAX_TOTALS = 5_000
const MAX_PAGES = 1_000

type Counted = { version: number; total: number }

/** A page as it was at a version. It has a body from its second reading on: most pages are never asked for again unchanged. */
export type KnownPage = { version: number; etag: string; body: Buffer | null }

/**
 * What this process knows of lists: totals and pages, each with the version of the list that it was read at, and lookups of
 * versions, which tell whether that is still so. One for a process, built in main.ts.
 */
export class KnownLists {
  readonly versions: VersionLookups
  readonly #maxBytes: number
  readonly #totals = new Map<string, Counted>()
  /** The one that was read longest ago comes first. */
  readonly #pages = new Map<string, KnownPage>()
  /** Of bodies and of keys, which hold what callers search for. */
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

  page(key: string): KnownPage | undefined {
    return this.#pages.get(key)
  }

  setPage(key: string, { version, etag, text }: { version: number; etag: string; text: string }): void {
    const isAskedAgain = this.#pages.get(key)?.version === version
    this.#drop(key)
    // One large page must not push all others out.
    const body = isAskedAgain && text.length <= this.#maxBytes / 8 ? Buffer.from(text) : null
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
