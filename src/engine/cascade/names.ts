import { NAME_PARTICLES } from '../english/words.ts'
import { foldText } from '../text/fold.ts'
import { translateTitleWords } from '../titles/languages.ts'
import { singularize, tokenizeTitle } from './fields.ts'
import { correctTypo, FILLERS, isJobWord } from './vocabulary.ts'

const NAMED =
  /\b(?:(?:whose|with the|by the|has the|having the|with)? ?(?:first |last |sur|given |family )?names? (?:is |are |of |being )?|(?:first|last|sur|given|family) ?names? |named |called |surnamed |goes by |contact details (?:of|for) |(?:email|mail|phone|number|profile|address) (?:of|for) )(?=\p{L})/iu
const MAX_NAME_WORDS = 4
/** Ranks that are also given names or surnames. */
const ALSO_NAMES = new Set(
  'dean grant mark bill art chase page hunter mason cook baker miller butler coach brewer law price ward lane cross strand page green jack rob gene'.split(
    ' ',
  ),
)

/** Extracts the names that a request contains ("people named Marte", "Jane Doe"). */
export function extractNames(text: string): { names: string[][]; rest: string } {
  const match = NAMED.exec(text)
  if (match) {
    const after = text.slice(match.index + match[0].length)
    const { names, length } = namesAt(after)
    if (names.length > 0) return { names, rest: `${text.slice(0, match.index)} ${after.slice(length)}` }
  }
  const bare = bareName(text)
  return bare ?? { names: [], rest: text }
}

function namesAt(text: string): { names: string[][]; length: number } {
  const names: string[][] = []
  let length = 0
  const tokens = [...text.matchAll(/[\p{L}][\p{L}'’.-]*|[,;?!/]/gu)]
  let name: string[] = []
  const end = () => {
    if (name.length > 0) names.push(name)
    name = []
  }
  const hasCapital = /^\p{Lu}/u.test(tokens[0]?.[0] ?? '')
  for (const [i, token] of tokens.entries()) {
    const word = token[0]
    if (/^(?:or|and|,|\/)$/i.test(word) && name.length > 0 && isNameLike(tokens[i + 1]?.[0], hasCapital)) {
      end()
      continue
    }
    const isPart =
      name.length === 0
        ? /^\p{Lu}/u.test(word) || (/^\p{L}/u.test(word) && !FILLERS.has(word))
        : isNameLike(word, hasCapital) || (NAME_PARTICLES.has(word) && name.length < MAX_NAME_WORDS)
    if (!isPart || name.length >= MAX_NAME_WORDS) break
    name.push(...nameWords(word))
    length = token.index + word.length
  }
  end()
  return { names, length }
}

/** After "named" anything written like a name counts: capitals throughout, or one or two unknown words. */
function isNameLike(word: string | undefined, hasCapital: boolean): boolean {
  if (!word || !/^\p{L}/u.test(word)) return false
  if (hasCapital) return /^\p{Lu}/u.test(word)
  return !FILLERS.has(word.toLowerCase()) && !isJobWord(singularize(foldText(word)))
}

/** A request that is only a name, or a name and a place: "Jane Doe", "Marte from HR". */
function bareName(text: string): { names: string[][]; rest: string } | null {
  const opened = text.replace(
    /^\s*(?:(?:please|can you|could you|i am|i'm|we are|find|get|show|give|look(?:ing)?|search(?:ing)?|seek|contact|reach|email|call|who|where|is|do|does|they|have|you|know|me|us|for|up|to|a|an|the|there|someone|our|dr\.?|mr\.?|mrs\.?|ms\.?|prof\.?)\s+)*/i,
    '',
  )
  const [head = '', where = ''] = opened.split(/\s+(?=(?:from|in|at|of|who|on)\s)|(?=[,;])|['’]s\b/i)
  const words = head
    .trim()
    .replace(/[?!.]+$/, '')
    .split(/\s+/)
    .filter(Boolean)
  if (words.length === 0 || words.length > MAX_NAME_WORDS || !words.every((word) => /^\p{L}[\p{L}'’.-]*$/u.test(word)))
    return null
  const isCapital = words.every((word) => /^\p{Lu}\p{Ll}/u.test(word) || NAME_PARTICLES.has(word))
  const unknown = words.map((word) => isUnknown(word, isCapital))
  const isName = isCapital
    ? unknown.every(
        (is, i) => is || (i === 0 && words.length > 1 && ALSO_NAMES.has((words[0] as string).toLowerCase())),
      )
    : words.length > 1 && unknown.every(Boolean)
  if (!isName) return null
  const rest = /^(?:from|in|at|of|who|on)\s/i.test(where.trim()) ? opened.slice(head.length) : ''
  return { names: [words.flatMap(nameWords)], rest }
}

const VOWEL = /[aeiouy]/
function isUnknown(token: string, isCapital: boolean): boolean {
  const word = foldText(token)
  if (NAME_PARTICLES.has(word)) return true
  if (
    translateTitleWords([word]).isForeign ||
    FILLERS.has(word) ||
    tokenizeTitle(word).some((part) => isJobWord(part) || isJobWord(singularize(part)))
  )
    return false
  if (/^(?:asdf|qwer|zxcv|hjkl|wasd|uiop|blah)/.test(word) || !VOWEL.test(word) || /[^aeiouy]{5}/.test(word))
    return false
  return isCapital || correctTypo(word) === null
}

/** "Müller", "Mueller" and "muller" are one name. */
export function foldNameWord(word: string): string {
  return foldText(word)
    .replace(/['’]s$/, '')
    .replace(/[^a-z]/g, '')
    .replace(/([aou])e(?=[^aeiou]|$)/g, '$1')
}

/** "Ogunlesi-Hart" is two words, because people write it with and without the hyphen. */
const nameWords = (word: string): string[] => word.split('-').map(foldNameWord).filter(Boolean)

export function hasRequestedName(fullName: string | null | undefined, names: readonly string[][]): boolean {
  const own = (fullName ?? '').split(/[\s,-]+/).map(foldNameWord)
  return names.some((name) => name.every((part) => own.includes(part)))
}
