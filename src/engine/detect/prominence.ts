// How much a document is about the company: headline, opening, how many sentences name it, the "About" block.
import {
  type CompanyIdentity,
  type CompanyInText,
  findCompany,
  hasDomain,
  isCapitalized,
  type Mention,
  wordText,
} from '../company-names.ts'
import { CUE_BIT, type Document } from './document.ts'

/** How prominent the company is in a document, computed once for all candidates. */
export type Prominence = {
  company: CompanyInText
  /** Mentions by sentence, only for sentences that have any. */
  bySentence: Map<number, Mention[]>
  /** 0 a passing mention … 1 the company the document is about. */
  score: number
  inTitle: boolean
  leadsTitle: boolean
  /** Before the first trigger of the headline, after it, not in the headline, or there is no headline. */
  titleRole: 'first' | 'later' | 'absent' | 'none'
  inLead: boolean
  /** One of the opening sentences has it as the subject: before the verb of announcing, after no preposition. */
  opens: boolean
  published: string | null
  /** The name is that of a fund or an investment firm. */
  isInvestor: boolean
}

/** From this score on, "it", "we" and "the company" may refer to the company. */
export const REFERENCE_THRESHOLD = 0.3

const LEAD_SENTENCES = 4

const INVESTOR_NAME =
  /\b(?:ventures?|capital|partners|funds?|equity|angels?|investments?|asset management|securities)\b/i

/** The company's prominence in the document, or null when the document does not name it. */
export function prominenceOf(
  document: Document,
  company: CompanyIdentity,
  url: string,
  published: string | null,
): Prominence | null {
  const found = findCompany(document.tokens, document.lower, company, document.titleEnd)
  if (!found.known) return null
  const { sentences } = document
  const bySentence = new Map<number, Mention[]>()
  let s = 0
  for (const mention of found.mentions) {
    while (s < sentences.length && (sentences[s]?.to ?? 0) <= mention.from) s++
    const list = bySentence.get(s)
    if (list) list.push(mention)
    else bySentence.set(s, [mention])
  }
  let titleSentences = 0
  while (sentences[titleSentences]?.section === 'title') titleSentences++
  let inTitle = false
  let inLead = false
  let inAbout = false
  let bodySentences = 0
  for (const index of bySentence.keys()) {
    const sentence = sentences[index]
    if (!sentence) continue
    if (sentence.section === 'title') inTitle = true
    else if (index < titleSentences + LEAD_SENTENCES) inLead = true
    if (sentence.section === 'about') inAbout = true
    if (sentence.section === 'body') bodySentences++
  }
  const first = found.mentions[0]
  const leadsTitle = inTitle && first !== undefined && first.from <= 2
  const ownSite = company.domain ? hasDomain(url.toLowerCase(), company.domain) : false
  const opens = found.mentions.some((mention) => opensText(document, mention, titleSentences))
  const hasTitle = titleSentences > 0
  const hasText = sentences.length > titleSentences
  // A headline alone, or a text without one, must say by itself whom it is about.
  const byTitle = (leadsTitle ? 0.4 : inTitle ? 0.25 : 0) * (hasText ? 1 : 2)
  const byText = (inLead ? 0.25 : 0) + Math.min(bodySentences, 5) * 0.05 + (!hasTitle && opens ? 0.4 : 0)
  const score = Math.min(
    1,
    byTitle + byText + (inAbout ? 0.1 : 0) + (found.is_the_company ? 0.25 : 0) + (ownSite ? 0.4 : 0),
  )
  return {
    company: found,
    bySentence,
    score,
    inTitle,
    leadsTitle,
    titleRole: titleRoleOf(document, inTitle ? first : undefined),
    inLead,
    opens,
    published,
    isInvestor: INVESTOR_NAME.test(company.name),
  }
}

/** Who stands before the first trigger of the headline acts in it; who stands after it is acted upon, or an aside. */
function titleRoleOf(
  { candidates, sentences, titleEnd }: Document,
  mention: Mention | undefined,
): Prominence['titleRole'] {
  if (titleEnd === 0) return 'none'
  if (!mention) return 'absent'
  let first = Number.MAX_SAFE_INTEGER
  for (const { sentence, from } of candidates) {
    if (sentences[sentence]?.section !== 'title') break
    first = Math.min(first, from)
  }
  return mention.from < first ? 'first' : 'later'
}

/** In the opening sentences, the mention that stands before the first verb of announcing and after no preposition. */
function opensText({ tokens, sentences, cues }: Document, mention: Mention, titleSentences: number): boolean {
  for (let s = titleSentences; s < titleSentences + LEAD_SENTENCES && s < sentences.length; s++) {
    const sentence = sentences[s]
    if (!sentence || mention.from < sentence.from || mention.from >= sentence.to) continue
    const previous = mention.from > sentence.from ? wordText(tokens, mention.from - 1) : ''
    if (['by', 'with', 'of', 'from', 'at', 'to', 'in', 'for'].includes(previous)) return false
    const said = cues[s]?.find((cue) => cue.bit & (CUE_BIT.announce | CUE_BIT.firm) && !isCapitalized(tokens, cue.from))
    return said === undefined || mention.from < said.from
  }
  return false
}
