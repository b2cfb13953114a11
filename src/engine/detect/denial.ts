import type { CompanyMention } from '../companies/company-names.ts'
import type { ParsedDocument } from './document.ts'

const NAME = '⟨⟩'

/** "Acme itself was not affected", "we were not involved". */
const DENIAL = new RegExp(
  `(?:\\bwe|${NAME})(?:,? (?:itself|too|also|and \\S+))?(?: (?:said|says|confirmed)(?: that)? (?:it|they))?` +
    ' (?:was|were|is|are|has|have) not (?:been |directly |itself )*' +
    '(?:affected|impacted|breached|compromised|hit|involved)\\b(?!.*\\b(?:before|until|like this|as badly|as hard)\\b)',
  'i',
)

/**
 * Whether the text states that an incident did not affect the company. Such texts describe another company's incident
 * at length, and the classifier is unreliable on them: of 27 companies that labelled texts exclude in this way, one had
 * an incident.
 */
export function deniesIncident(
  document: ParsedDocument,
  mentions: ReadonlyMap<number, readonly CompanyMention[]>,
): boolean {
  return document.sentences.some((_, index) => DENIAL.test(withNamesMarked(document, index, mentions.get(index) ?? [])))
}

function withNamesMarked(
  { tokens, sentences }: ParsedDocument,
  index: number,
  mentions: readonly CompanyMention[],
): string {
  const { from, to } = sentences[index] as (typeof sentences)[number]
  let text = ''
  let at = tokens.start[from] as number
  for (const mention of mentions) {
    text += tokens.text.slice(at, tokens.start[mention.from]) + NAME
    at = tokens.end[mention.to - 1] as number
  }
  return text + tokens.text.slice(at, tokens.end[to - 1])
}
