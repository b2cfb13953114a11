import { WEEKDAYS } from '../english/calendar.ts'
import { wordSet } from '../english/words.ts'
import { foldText } from '../text/fold.ts'

const MAX_TEXT_CHARS = 20_000
const NUMBER = /\d[\d.,]{0,30}/g
/** Capitalised words in the middle of a sentence; the first word of a sentence is always capitalised. */
const NAME = /(?<=[\p{Ll}\p{N},;:'’")“] )\p{Lu}[\p{L}'’-]{1,40}/gu
const PLACEHOLDER = /\[[^\]\n]{1,40}\](?!\()|\{\{?[^}\n]{1,40}\}?\}/g
/** Capitalised words that state no fact. */
const HARMLESS: ReadonlySet<string> = new Set([
  ...wordSet('i i’m i’ll hi hello best regards'),
  ...WEEKDAYS.map(foldText),
])

/**
 * Numbers, names and placeholders in a text that its sources do not contain. Meant for texts from a language model; an empty
 * list means that no such fact was added, not that every sentence is true.
 */
export function findUnsupportedFacts(text: string, sources: readonly string[]): string[] {
  const source = foldText(sources.join('\n'))
  const numbers = new Set([...source.matchAll(NUMBER)].map(([number]) => plainNumber(number)))
  const words = new Set(source.match(/[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu) ?? [])
  const found: string[] = []
  const cut = text.slice(0, MAX_TEXT_CHARS)
  for (const [placeholder] of cut.matchAll(PLACEHOLDER)) found.push(placeholder)
  const rest = cut.replace(PLACEHOLDER, ' ')
  for (const [number] of rest.matchAll(NUMBER)) if (!numbers.has(plainNumber(number))) found.push(number)
  for (const [name] of rest.matchAll(NAME)) {
    const folded = foldText(name).replace(/['’]s$/, '')
    if (!words.has(folded) && !HARMLESS.has(folded)) found.push(name)
  }
  return [...new Set(found)]
}

/** "40,000" and "40000" are the same number, and a full stop at the end belongs to the sentence. */
function plainNumber(number: string): string {
  return number
    .replace(/[.,]+$/, '')
    .replaceAll(',', '')
    .replace(/\.0+$/, '')
}
