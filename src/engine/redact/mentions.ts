import { NAME_PARTICLES } from '../english/words.ts'
import { EXTENSION } from '../people/phone-number.ts'
import { profileUrlKey } from '../people/profile-url.ts'
import { searchFold } from '../text/fold.ts'

/** An email address, phone number or profile page in a text, with the mark to compare. */
export type ContactMention = { start: number; end: number; mark: string }

export type NameToken = {
  start: number
  end: number
  /** Without case, accents, apostrophes and invisible characters. */
  word: string
  /** Only a separator that is possible in names precedes this token. */
  joined: boolean
  /** Whether brackets or quotes open or close before this token. */
  bracket: 'opens' | 'closes' | null
  /** The separator contains a comma or a dash: "Pike, Ada", but also "Ada, Bob, Pike". */
  listed: boolean
  /** Capitalised, or in a script without capitals. */
  isName: boolean
  /** Part of a URL or an email address, where names are in lower case. */
  inAddress: boolean
}

// Every repetition is bounded, so that matching stays linear on hostile texts.
const EMAIL = /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+'-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,6}/gu
const URL_LIKE = /(?<![\w@.-])(?:https?:\/\/|(?:[\w-]{1,63}\.){1,6}[a-z]{2,24}\/)[^\s<>"“”«»]{1,2048}/gi
const PHONE = /(?<![\p{L}\p{N}])(?:\+|00)?(?:\(0?\d{1,4}\)|\d)[\d\s()[\]./·‐‑‒–—−-]{5,24}\d(?!\d)/gu
// Soft hyphens and other invisible characters are part of their word.
const WORD = /[\p{L}\p{M}][\p{L}\p{M}\p{Cf}'’ʼ]{0,60}/gu
const UNSEEN = /\p{Cf}/gu
/** Separators between two words of a name, including Markdown emphasis. */
const IN_PROSE = /^[*_]{0,3}(?:[.,]?[*_]{0,3}(?:\s{1,2}|[^\S\n]{1,6})|\s?[-‐‑]\s?|[.,])[*_]{0,3}$/
const MAX_GAP = 9
/** Around a nickname: Ada "Addie" Pike. */
const OPENS = /^\s{1,2}["'“„‘«([]$/
const CLOSES = /^["'”“’»)\]]\s{1,2}$/
const IN_ADDRESS = /^(?:[-_.+~/]|%20)$/
const NO_LETTER = /['’ʼ\p{Cf}]/gu
const MIN_DIGITS = 7
/** Most words need only lower-casing to be folded. */
const PLAIN = /^[a-z]+$/i

/** The email addresses, phone numbers and profile pages in a text. */
export function findContacts(text: string): ContactMention[] {
  const contacts: ContactMention[] = []
  for (const { index, 0: found } of text.matchAll(EMAIL)) {
    contacts.push({ start: index, end: index + found.length, mark: `email:${found.toLowerCase()}` })
  }
  for (const { start, end } of findUrls(text)) {
    const page = profileUrlKey(text.slice(start, end))
    if (page) contacts.push({ start, end, mark: `page:${page}` })
  }
  for (const { index, 0: found } of text.matchAll(PHONE)) {
    const digits = found
      .replaceAll(/[([]0[)\]]/g, '')
      .replaceAll(/\D/g, '')
      .replace(/^00/, '')
    if (digits.length < MIN_DIGITS) continue
    const end = index + found.length
    contacts.push({ start: index, end, mark: `phone:${digits}` })
    const extension = EXTENSION.exec(text.slice(end, end + 40))
    if (extension)
      contacts.push({ start: index, end: end + extension[0].length, mark: `phone:${digits};ext=${extension[1]}` })
  }
  return contacts
}

function findUrls(text: string) {
  return Array.from(text.matchAll(URL_LIKE), ({ index, 0: found }) => {
    const url = found.replace(/[.,;:!?'’)\]}]{1,9}$/, '')
    return { start: index, end: index + url.length }
  })
}

/** Tokenizes a text for name matching. */
export function tokenizeNames(text: string): NameToken[] {
  const addresses = [
    ...Array.from(text.matchAll(EMAIL), ({ index, 0: found }) => ({ start: index, end: index + found.length })),
    ...findUrls(text),
  ].sort((a, b) => a.start - b.start)
  const folded = new Map<string, string>()
  const tokens: NameToken[] = []
  let at = 0
  for (const { index: start, 0: found } of text.matchAll(WORD)) {
    const raw = found.replace(/['’ʼ]s?$/i, '')
    const end = start + raw.length
    while (at < addresses.length && (addresses[at] as ContactMention).end <= start) at++
    const inAddress = (addresses[at]?.start ?? Number.POSITIVE_INFINITY) <= start
    const before = tokens.at(-1)
    const between = before ? text.slice(before.end, start).replaceAll(UNSEEN, '') : ''
    const gap = between.length <= MAX_GAP ? between : ''
    const word = folded.get(raw) ?? (PLAIN.test(raw) ? raw.toLowerCase() : searchFold(raw).replaceAll(NO_LETTER, ''))
    folded.set(raw, word)
    // A period after more than an initial or "St" ends a sentence.
    const isEnd = !inAddress && /^[*_]*\./.test(gap) && (before?.word.length ?? 0) > 2
    const joined = !isEnd && before?.inAddress === inAddress && (inAddress ? IN_ADDRESS : IN_PROSE).test(gap)
    const listed = joined && !inAddress && /,|\s[-‐‑]|[-‐‑]\s/.test(gap)
    const bracket = inAddress ? null : OPENS.test(gap) ? 'opens' : CLOSES.test(gap) ? 'closes' : null
    // A capital anywhere: "d'Ormesson".
    const isName = /[\p{Lu}\p{Lt}\p{Lo}]/u.test(raw)
    tokens.push({ start, end, word, joined, bracket, listed, isName, inAddress })
  }
  return tokens
}

/** Maximum number of tokens of a name, including initials. */
const MAX_TOKENS = 6

/** Maximum number of unknown middle names. */
const MAX_UNKNOWN_WORDS = 2

/**
 * Sequences of tokens that may be a name whose words are known; middle names and a nickname may be unknown. `typed`:
 * words may be in lower case.
 */
export function* findNameSpans(tokens: readonly NameToken[], isKnown: (word: string) => boolean, typed = false) {
  const mayEnd = ({ word, isName, inAddress }: NameToken) => (typed || isName || inAddress) && isKnown(word)
  for (const [from, first] of tokens.entries()) {
    if (!mayEnd(first)) continue
    const words = [first.word]
    let strangers = 0
    let listed = false
    let isOpen = false
    for (let to = from + 1; to < from + MAX_TOKENS; to++) {
      const token = tokens[to]
      if (!token || (!token.joined && token.bracket !== (isOpen ? 'closes' : 'opens'))) break
      if (!token.joined) isOpen = !isOpen
      if (isOpen) continue
      listed ||= token.listed
      // An unknown word inside a list is another person.
      if (listed && strangers > 0) break
      if (isKnown(token.word)) {
        words.push(token.word)
        if (!mayEnd(token)) continue
        // Known words may be between given name and surname, as in "Ada O'Neill-Pike".
        const keys = [unorderedNameKey(words), unorderedNameKey([first.word, token.word])].filter((key) => key !== null)
        yield { tokens: tokens.slice(from, to + 1), start: first.start, end: token.end, keys }
      } else if (
        token.word.length > 1 &&
        !NAME_PARTICLES.has(token.word) &&
        (!token.isName || listed || ++strangers > MAX_UNKNOWN_WORDS)
      )
        break
    }
  }
}

/** One key for a name in any order: "Pike, Ada B." is "Ada Pike". Null for a single word, which is too ambiguous. */
export function unorderedNameKey(words: readonly string[]): string | null {
  const whole = words.filter((word) => word.length > 1)
  const used = whole.length > 1 ? whole : words
  return used.length > 1 ? used.toSorted().join(' ') : null
}

/** The words of a name, tokenized like texts. */
export function splitNameWords(name: string): string[] {
  return tokenizeNames(name).map(({ word }) => word)
}
