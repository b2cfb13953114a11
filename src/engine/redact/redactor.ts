import type { EventDetails } from '../claim/index.ts'
import { profileKey } from '../profile-page.ts'
import { searchFold } from '../search-text.ts'
import { replaceHomoglyphs } from './homoglyphs.ts'
import { splitNameWords } from './mentions.ts'
import { applyCuts, findCuts, type IsMarked, limitCuts, shiftDetails, type TextCuts } from './text.ts'

/** A company at which somebody was erased: under which id their names are kept, and how texts call it. */
export type ErasureScope = { id: string; name: string; company: string }

/** By the address of a source: words that mean somebody there. Plain data, because it is handed to threads and back. */
export type NameWordsBySource = Record<string, string[]>

export type RedactableProof = {
  claim: string
  quote?: string | null
  details?: EventDetails | null
  source_url: string | null
}

/** How a name is kept that was erased at an account. */
export const scopedMark = (accountId: string, name: string) => `${accountId} ${name}`

/** Words with a space around each, so that one is not found within another. */
const spaced = (text: string) =>
  ` ${searchFold(text)
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `

/** A name may continue behind the place where a text is cut off. */
const MARGIN = 400

/**
 * Takes erased people out of texts. A name counts in a text of its company, or in one that names the company. `isKept`: whether a
 * mark is one of those that are kept of erased people; names are asked for as `scoped`.
 */
export class Redactor {
  readonly #isKept: (mark: string) => boolean
  readonly #own: ReadonlySet<string>
  readonly #scopes: readonly ErasureScope[]
  readonly #alone: Map<string, ReadonlySet<string>>
  readonly #typed: boolean
  /** Words of the names of companies; many, and seldom needed. */
  #company: ReadonlySet<string> | undefined
  /** By name the companies at which somebody of that name was erased. */
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
   * `source`: where the text was read; what one text from there shows to be a name is one in the others. `most`: characters of the
   * text that are kept.
   */
  redact(text: string, source: string | null = null, most = text.length): TextCuts & { text: string } {
    const considered = text.slice(0, most + MARGIN)
    const latin = replaceHomoglyphs(considered)
    const looks = latin === considered ? [considered] : [considered, latin]
    const found = looks.map((look) => this.#cutsIn(look, source))
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

  /** Names count where their company is the text's own, or named in it. */
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
      // Without a company the name alone is looked for first: whoever is erased is kept under both.
      found = this.#isKept(name)
        ? { own: [...this.#own].some(isAt), scopes: this.#scopes.filter(({ id }) => isAt(id)) }
        : { own: false, scopes: [] }
      this.#erasedAt.set(name, found)
    }
    return found
  }

  /** Whether a name is its company's, too: what "Ralph Lauren" says at Ralph Lauren nobody can tell. */
  #isCompany(id: string, name: string): boolean {
    const company = this.#scopes.filter((scope) => scope.id === id).flatMap((scope) => splitNameWords(scope.name))
    const words = name.slice('text:'.length).split(' ')
    return words.every((word) => company.includes(word))
  }

  #isOfCompany(word: string): boolean {
    this.#company ??= new Set(this.#scopes.flatMap(({ name }) => splitNameWords(name)))
    return this.#company.has(word)
  }

  /** Makes what means somebody in one source mean them in another. */
  share(from: string | null, to: string): void {
    const words = from === null ? undefined : this.#alone.get(from)
    if (words) this.#alone.set(to, new Set([...(this.#alone.get(to) ?? []), ...words]))
  }

  text<T extends string | null>(text: T, source: string | null = null, most?: number): T {
    return (text === null ? null : this.redact(text, source, most).text) as T
  }

  /** Whether this is the address of an erased person's own page. */
  isTheirs(url: string): boolean {
    const page = profileKey(url)
    return page !== null && this.#isKept(`page:${page}`)
  }

  /** An address without names in it; of a page that is theirs only the site is left. */
  url<T extends string | null>(url: T): T {
    if (url === null) return url
    return (this.isTheirs(url) ? `${URL.parse(url)?.origin ?? ''}/` : this.redact(url).text) as T
  }

  proof<T extends RedactableProof>(proof: T): T {
    const { claim, quote, details, source_url } = proof
    // The quote first: it has the full name more often, and then the claim's surname is known.
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
