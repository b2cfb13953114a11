import { setImmediate } from 'node:timers/promises'
import type { Evidence, MoveSource } from '../../db/schema.ts'
import type { Deps } from '../../deps.ts'
import { searchFold } from '../../search-text.ts'
import { findSuppressed, isAnybodyErased, listNamedScopes } from '../erasure-store.ts'
import { hashesOf } from '../identity.ts'
import { nameSpans, readContacts, readTokens, wordsOf } from '../mentions.ts'
import { profileKey } from '../pages.ts'
import { scopesOf } from '../scopes.ts'
import { scoped } from './marks.ts'
import { applyCuts, findCuts, moveDetails, type Redacted } from './text.ts'

type Parts = Pick<Deps, 'db' | 'secrets'>
type Scope = { id: string; name: string; company: string }

/**
 * Makes ready to take erased people out of these texts, which are about an account, or, without one, about whichever company
 * somebody was erased at. Null where none of them speaks of anybody erased, which is so nearly always. Names are kept as hashes, so words are hashed, then runs of words that are all
 * known, and those that are names with each company: a text costs a hash for each of its different words, and seldom more.
 * `typed`: by somebody in a hurry, who writes names without capitals.
 */
export async function redactorFor(
  { db, secrets }: Parts,
  workspaceId: string,
  accountId: string | null,
  given: readonly (string | null | undefined)[],
  { alone = new Map(), typed = false }: { alone?: Alone; typed?: boolean } = {},
): Promise<Redactor | null> {
  const texts = given.filter((text) => typeof text === 'string' && text !== '') as string[]
  if (texts.length === 0 || !(await isAnybodyErased(db, workspaceId))) return null
  const look = (marks: ReadonlySet<string>) => findMarks({ db, secrets }, workspaceId, marks)
  const first = await look(await collect(texts, (text) => marksIn(text, typed)))
  if (first.size === 0) return null
  const words = [...first].filter((mark) => mark.startsWith('word:')).map((mark) => mark.slice('word:'.length))
  for (const surname of await look(new Set(words.map((word) => `surname:${word}`)))) first.add(surname)
  const named = await listNamedScopes(db, workspaceId)
  const scopes: Scope[] = named.map(({ account_id, name, company }) => ({ id: account_id, name, company }))
  const own =
    accountId === null
      ? new Set(scopes.map(({ id }) => id))
      : ((await scopesOf(db, workspaceId, [accountId])).get(accountId)?.ids ?? new Set<string>())
  const isKnown = (word: string) => first.has(`word:${word}`)
  const keysIn = (text: string) => [...nameSpans(readTokens(text), isKnown, typed)].flatMap(({ keys }) => keys)
  const names = await look(await collect(texts, (text) => keysIn(text).map((key) => `text:${key}`)))
  const ids = new Set([...own, ...scopes.map(({ id }) => id)])
  const second = await look(new Set([...ids].flatMap((id) => [...names].map((name) => scoped(id, name)))))
  return new Redactor(first, second, own, scopes, alone, typed)
}

/** Hashes that are made before others get their turn. */
const BATCH = 2_000

/** Those of the marks that are kept. */
async function findMarks(
  { db, secrets }: Parts,
  workspaceId: string,
  marks: ReadonlySet<string>,
): Promise<Set<string>> {
  const all = [...marks]
  const found = new Set<string>()
  for (let at = 0; at < all.length; at += BATCH) {
    const batch = all.slice(at, at + BATCH)
    const hashes = hashesOf(secrets, workspaceId, batch)
    const kept = await findSuppressed(db, workspaceId, hashes)
    for (const [n, hash] of hashes.entries()) if (kept.has(hash.toString('hex'))) found.add(batch[n] as string)
  }
  return found
}

/** What texts hold, each once. Others get their turn between two texts. */
async function collect(texts: readonly string[], read: (text: string) => string[]): Promise<Set<string>> {
  const all = new Set<string>()
  for (const text of texts) {
    for (const mark of read(text)) all.add(mark)
    await setImmediate()
  }
  return all
}

/** A hash costs more than all reading: what is written in small letters is no end of a name, and is not looked for. */
function marksIn(text: string, typed: boolean): string[] {
  const words = readTokens(text).filter(({ isName, inAddress }) => typed || isName || inAddress)
  return [...readContacts(text).map(({ mark }) => mark), ...words.map(({ word }) => `word:${word}`)]
}

/** Words with a space around each, so that one is not found within another. */
const spaced = (text: string) =>
  ` ${searchFold(text)
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `

/** By the address of a source: words that stand for somebody there. */
export type Alone = Map<string, ReadonlySet<string>>

/** Takes erased people out of texts. A name counts in a text of its company, or in one that names the company. */
export class Redactor {
  readonly #marks: ReadonlySet<string>
  readonly #names: ReadonlySet<string>
  readonly #own: ReadonlySet<string>
  readonly #scopes: readonly Scope[]
  readonly #alone: Alone
  readonly #company: ReadonlySet<string>
  readonly #typed: boolean

  constructor(
    marks: ReadonlySet<string>,
    names: ReadonlySet<string>,
    own: ReadonlySet<string>,
    scopes: readonly Scope[],
    alone: Alone,
    typed = false,
  ) {
    this.#typed = typed
    this.#alone = alone
    this.#marks = marks
    this.#names = names
    this.#own = own
    this.#scopes = scopes
    this.#company = new Set(scopes.flatMap(({ name }) => wordsOf(name)))
  }

  /** `source`: where the text was read; what one text from there shows to be a name is one in the others. */
  redact(text: string, source: string | null = null): Redacted {
    let ids: string[] | undefined
    const isTheirName = (name: string) => {
      ids ??= this.#scopesIn(text)
      return ids.some((id) => this.#names.has(scoped(id, name)) && !this.#isCompany(id, name))
    }
    const isMarked = (mark: string) => (mark.startsWith('text:') ? isTheirName(mark) : this.#marks.has(mark))
    const known = source === null ? undefined : this.#alone.get(source)
    const { cuts, alone } = findCuts(text, isMarked, {
      company: this.#company,
      typed: this.#typed,
      ...(known ? { alone: known } : {}),
    })
    if (source !== null && alone.size > 0) this.#alone.set(source, alone)
    return { text: applyCuts(text, cuts), cuts, alone }
  }

  /** Makes what stands for somebody in one source stand for them in another. */
  share(from: string | null, to: string): void {
    const words = from === null ? undefined : this.#alone.get(from)
    if (words) this.#alone.set(to, new Set([...(this.#alone.get(to) ?? []), ...words]))
  }

  text<T extends string | null>(text: T, source: string | null = null): T {
    return (text === null ? null : this.redact(text, source).text) as T
  }

  /** Whether this is the address of an erased person's own page. */
  isTheirs(url: string): boolean {
    const page = profileKey(url)
    return page !== null && this.#marks.has(`page:${page}`)
  }

  /** An address without names in it; of a page that is theirs only the site is left. */
  url<T extends string | null>(url: T): T {
    if (url === null) return url
    return (this.isTheirs(url) ? `${URL.parse(url)?.origin ?? ''}/` : this.redact(url).text) as T
  }

  proof<T extends Pick<Evidence, 'claim' | 'quote' | 'details' | 'source_url'>>(proof: T): T {
    const { claim, quote, details, source_url } = proof
    // The quote first: it has the full name more often, and then the claim's surname is known.
    const told = quote ? this.redact(quote, source_url) : null
    const shorter = this.redact(claim, source_url)
    return {
      ...proof,
      claim: shorter.text,
      ...(told ? { quote: told.text } : {}),
      ...(details && told ? { details: moveDetails(details, told.cuts) } : {}),
      source_url: this.url(source_url),
    }
  }

  /** A source of somebody's move: its sentence may name others. */
  source(one: MoveSource): MoveSource {
    const { url, quote } = one
    return { ...one, url: this.url(url), ...(quote === undefined ? {} : { quote: this.text(quote, url) }) }
  }

  /** Whether a name is its company's, too: what "Ralph Lauren" says at Ralph Lauren nobody can tell. */
  #isCompany(id: string, name: string): boolean {
    const company = this.#scopes.filter((scope) => scope.id === id).flatMap((scope) => wordsOf(scope.name))
    const words = name.slice('text:'.length).split(' ')
    return words.every((word) => company.includes(word))
  }

  #scopesIn(text: string): string[] {
    if (this.#names.size === 0) return []
    const lower = text.toLowerCase()
    const words = spaced(text)
    const isNamed = ({ name, company }: Scope) => words.includes(spaced(name)) || lower.includes(company)
    return [...this.#own, ...this.#scopes.filter(isNamed).map(({ id }) => id)]
  }
}
