import type { EventDetails } from '../claim/index.ts'
import { profileUrlKey } from '../people/profile-url.ts'
import { searchFold } from '../text/fold.ts'
import { replaceHomoglyphs } from './homoglyphs.ts'
import { splitNameWords } from './mentions.ts'
import { applyCuts, findCuts, type IsMarked, limitCuts, shiftDetails, type TextCuts } from './redacted-spans.ts'

/** A company at which a person was erased: the id under which names are stored, its name and its domain. */
export type ErasureScope = { id: string; name: string; company: string }

/** Words that refer to an erased person, by URL of the source. Plain data, because it is cloned between threads. */
export type NameWordsBySource = Record<string, string[]>

export type RedactableProof = {
  claim: string
  quote?: string | null
  details?: EventDetails | null
  source_url: string | null
}

/** The mark of a name that was erased at an account. */
export const scopedMark = (accountId: string, name: string) => `${accountId} ${name}`

/** Words surrounded by spaces, so that substrings of words do not match. */
const spaced = (text: string) =>
  ` ${searchFold(text)
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `

/** Additional characters to inspect, because a name may continue after the cutoff. */
const MARGIN = 400

/**
 * Removes erased people from texts. A name counts in a text about its company, or in one that names the company.
 * `isKept`: whether a mark is stored for an erased person; names are looked up as `scopedMark`.
 */
export class Redactor {
  readonly #isKept: (mark: string) => boolean
  readonly #own: ReadonlySet<string>
  readonly #scopes: readonly ErasureScope[]
  readonly #alone: Map<string, ReadonlySet<string>>
  readonly #typed: boolean
  /** Words of company names; computed lazily, because there are many and they are rarely needed. */
  #company: ReadonlySet<string> | undefined
  /** By name, the companies at which a person of that name was erased. */
  readonly #erasedAt = new Map<string, { own: boolean; scopes: ErasureScope[] }>()

  constructor(
    isKept: (mark: string) => boolean,
    { own, scopes }: { own: readonly string[]; scopes: readonly ErasureScope[] },
    { alone = {}, typed = false }: { alone?: NameWordsBySource; typed?: boolean } = {},
  ) {
    this.#isKept = isKept
    this.#own = new Set(own)
    this.#scopes = scopes
    this.#alone = new Map(Object.entries(alone).map(([source, words]) => [source, new Set(words)]))
    this.#typed = typed
  }

  get alone(): NameWordsBySource {
    return Object.fromEntries([...this.#alone].map(([source, words]) => [source, [...words]]))
  }

  /**
   * `source`: the URL of the text; a name found in one text of a source counts in its other texts. `most`: maximum
   * number of characters to keep.
   */
  redact(text: string, source: string | null = null, most = text.length): TextCuts & { text: string } {
    const considered = text.slice(0, most + MARGIN)
    const latin = replaceHomoglyphs(considered)
    const spellings = latin === considered ? [considered] : [considered, latin]
    const found = spellings.map((spelling) => this.#cutsIn(spelling, source))
    const until = Math.min(most, ...found.map((one) => one.until))
    const all = limitCuts(
      found.flatMap(({ cuts }) => cuts),
      until,
    )
    const alone = new Set(found.flatMap((one) => [...one.alone]))
    if (source !== null && alone.size > 0) this.#alone.set(source, alone)
    return { ...all, alone, text: applyCuts(considered, all) }
  }

  #cutsIn(text: string, source: string | null): TextCuts {
    const known = source === null ? undefined : this.#alone.get(source)
    return findCuts(text, this.#marksIn(text), {
      company: { has: (word) => this.#isOfCompany(word) },
      typed: this.#typed,
      ...(known ? { alone: known } : {}),
    })
  }

  /** Names count where their company is the subject of the text or is named in it. */
  #marksIn(text: string): IsMarked {
    const named = new Map<ErasureScope, boolean>()
    let lower: string | undefined
    let words: string | undefined
    const isNamed = (scope: ErasureScope) => {
      const known = named.get(scope)
      if (known !== undefined) return known
      lower ??= text.toLowerCase()
      words ??= spaced(text)
      const is = words.includes(spaced(scope.name)) || lower.includes(scope.company)
      named.set(scope, is)
      return is
    }
    return (mark) => {
      if (!mark.startsWith('text:')) return this.#isKept(mark)
      const { own, scopes } = this.#companiesOf(mark)
      return own || scopes.some(isNamed)
    }
  }

  #companiesOf(name: string): { own: boolean; scopes: ErasureScope[] } {
    let found = this.#erasedAt.get(name)
    if (!found) {
      const isAt = (id: string) => this.#isKept(scopedMark(id, name)) && !this.#isCompany(id, name)
      // The name alone is looked up first, because erased names are stored with and without their company.
      found = this.#isKept(name)
        ? { own: [...this.#own].some(isAt), scopes: this.#scopes.filter(({ id }) => isAt(id)) }
        : { own: false, scopes: [] }
      this.#erasedAt.set(name, found)
    }
    return found
  }

  /** Whether a name is also the company's: at Ralph Lauren, "Ralph Lauren" is ambiguous. */
  #isCompany(id: string, name: string): boolean {
    const company = this.#scopes.filter((scope) => scope.id === id).flatMap((scope) => splitNameWords(scope.name))
    const words = name.slice('text:'.length).split(' ')
    return words.every((word) => company.includes(word))
  }

  #isOfCompany(word: string): boolean {
    this.#company ??= new Set(this.#scopes.flatMap(({ name }) => splitNameWords(name)))
    return this.#company.has(word)
  }

  /** Copies the name words of one source to another. */
  share(from: string | null, to: string): void {
    const words = from === null ? undefined : this.#alone.get(from)
    if (words) this.#alone.set(to, new Set([...(this.#alone.get(to) ?? []), ...words]))
  }

  text<T extends string | null>(text: T, source: string | null = null, most?: number): T {
    return (text === null ? null : this.redact(text, source, most).text) as T
  }

  /** Whether a URL is an erased person's profile page. */
  isTheirs(url: string): boolean {
    const page = profileUrlKey(url)
    return page !== null && this.#isKept(`page:${page}`)
  }

  /** A URL without names; only the origin of a profile page is kept. */
  url<T extends string | null>(url: T): T {
    if (url === null) return url
    return (this.isTheirs(url) ? `${URL.parse(url)?.origin ?? ''}/` : this.redact(url).text) as T
  }

  proof<T extends RedactableProof>(proof: T): T {
    const { claim, quote, details, source_url } = proof
    // The quote first, because it contains the full name more often, which identifies the surname in the claim.
    const cut = quote ? this.redact(quote, source_url) : null
    const shorter = this.redact(claim, source_url)
    return {
      ...proof,
      claim: shorter.text,
      ...(cut ? { quote: cut.text } : {}),
      ...(details && cut ? { details: shiftDetails(details, cut) } : {}),
      source_url: this.url(source_url),
    }
  }
}
