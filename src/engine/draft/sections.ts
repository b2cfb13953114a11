// Prepares the knowledge base once for many drafts: sentences with offers, proofs and customers that a message may use.
// Content for internal use is left out.
import { isEnglish } from '../text/language.ts'
import { splitMarkdownSentences } from './quoting.ts'
import { toSentence } from './statements.ts'

export type KnowledgeSection = { type: string; title?: string; content_md: string }

type Sentence = { text: string; stems: ReadonlySet<string> }
export type PreparedSections = {
  /** `rank`: how suitable the section's type is, 0 the best. */
  pitches: readonly (Sentence & { type: string; rank: number; isProof: boolean })[]
  /** `source`: the sentence as in the knowledge base. */
  proofs: readonly (Sentence & { source: string; score: number })[]
  /** By sentence, the sentence in the first person that follows it. */
  followers: ReadonlyMap<string, string>
}

export const PITCH_TYPES = ['value_prop', 'product', 'overview']
/** Section types for internal use. */
const PRIVATE_TYPES = /^(?:icp|persona|personas|pricing|competitor|competitors|objections?|playbook|battlecards?)$/i

/** Words that mark customers that a message must not name. */
const ASIDE =
  'target\\w*|ideal|lost|losing|support|complain\\w*|segment\\w*|prospect\\w*|potential|personas?|churn\\w*|wish\\w*|former|' +
  'competitors?|competition|rivals?|objections?|internal|confidential|pipeline'
const NAMES_ASIDE = new RegExp(`\\b(?:${ASIDE})\\b`, 'i')
const CUSTOMERS_ASIDE = new RegExp(
  `\\b(?:${ASIDE})\\b.*\\b(?:customers?|clients?|accounts?|companies|buyers|deals|lists?)\\b|\\b(?:customers?|clients?)\\b.*\\b(?:${ASIDE})\\b`,
  'i',
)
/** Titles of sections that list customers. */
const CUSTOMER_LIST =
  /^(?:some of )?(?:(?:our|the|key|selected|current|existing|reference|main|major|named|happy) )*(?:customers?|clients?|references?|(?:customer|client|reference)s? (?:list|names|logos|references?)|who (?:we work with|uses us|trusts us)|customers and references|clients and references)$/i
const PROOF_SECTION =
  /\b(?:proofs?(?! of concept)|case stud(?:y|ies)|testimonials?|success stor(?:y|ies)|(?:customer|client)s? (?:stor(?:y|ies)|results?|quotes?|voices?|success(?:es)?)|what (?:our )?(?:customers|clients) say)\b|^(?:our |the )?results?$/i
/** Sections about customers contain no offers. */
const ABOUT_CUSTOMERS =
  /\b(?:proof|proofs|case stud(?:y|ies)|customers?|clients?|references?|testimonials?|results?|success stor(?:y|ies))\b/i
const PROOF =
  /\b(?:customers?|clients?) (?:include|such as|like|have|has|report|save|saved|cut|use|see)|\b(?:used|trusted|chosen) by\b|(?<!\p{L})(?!(?:We|Our|It|They|You|I)\b)\p{Lu}[\p{L}\p{N}&-]+(?: \p{Lu}[\p{L}\p{N}&-]+)* (?:cut|cuts|saved|saves|reduced|halved|doubled|tripled|raised|increased|went|moved|switched|uses|runs|shortened|closes|ships|brought)\b|\b(?:[2-9]\d{2,}|\d{1,3}(?:,\d{3})+|\d+) (?:\p{L}+ ){0,2}(?:customers|clients|companies|sites|plants|teams|warehouses|hospitals|banks|users)\b/u

const COMPETITOR_WORDS = /\b(?:competitors?|competition|rivals?)\b/i
/** "our competitor Zeta", "unlike Zeta". */
const COMPETITOR =
  /(?:\b[Cc]ompetitors?(?:,| (?:is|are|like|such as|include))?|\b[Rr]ivals?|\b[Uu]nlike|\b[Aa]lternatives? to|\b[Vv]ersus|\b[Vv]s\.?|\b[Bb]etter than) (\p{Lu}[\p{L}\p{N}&-]+)/gu

const PLACEHOLDER = /\[[^\]]{1,40}\]|\{\{?[^}]{1,40}\}?\}|<[^>]{1,40}>|\bTODO\b|\bTBD\b|\bXX+\b|lorem ipsum/i
/** Notes to the team, calls to action, and sentences that depend on the previous one. */
const UNFIT =
  /^(?:mention|emphasi[sz]e|position (?:us|it|as)|avoid|never|always|remember|lead with|focus on|target|do not|don['’]t|tell|say|ask|note|internal|use (?:this|it|when)|it|this|that|these|those|they|he|she|such|also|and|but|or|however|therefore|moreover|additionally|in addition|book|contact|sign up|learn|read|click|see)\b|\b(?:internal(?:ly)? only|confidential|do not share|not public|under nda|https?:|www\.)|@|\?$|:$|\|/i

const MIN_WORDS = 4
const MAX_WORDS = 34

/** Cache by the array, which is a new one after an edit; one entry per array, because a sender has one name. */
const known = new WeakMap<readonly KnowledgeSection[], { company: string | undefined; prepared: PreparedSections }>()

/** `sections` must not be changed afterwards, because the result is cached. */
export function prepareSections(sections: readonly KnowledgeSection[], company?: string): PreparedSections {
  const before = known.get(sections)
  if (before && before.company === company) return before.prepared
  const prepared = prepare(sections, company)
  known.set(sections, { company, prepared })
  return prepared
}

type Part = {
  type: string
  /** The section is written for customers; from other sections only sentences about the sender are used. */
  isOpenType: boolean
  isPitch: boolean
  isProof: boolean
  isList: boolean
  content: string
  sentences: string[]
}

function prepare(sections: readonly KnowledgeSection[], company: string | undefined): PreparedSections {
  const rivals = competitorsIn(sections, company)
  const namesRival = (text: string) => COMPETITOR_WORDS.test(text) || rivals.some((rival) => rival.test(text))
  const isUsable = (text: string) => isFit(text) && !namesRival(text)
  const parts = sections.filter(({ content_md }) => isEnglish(content_md)).flatMap(partOf)
  const isProof = (text: string) => PROOF.test(company ? text.replaceAll(company, 'we') : text)
  return {
    pitches: PITCH_TYPES.flatMap((type, rank) =>
      parts
        .filter((part) => part.isPitch && part.type === type)
        .flatMap(({ sentences }) => sentences)
        .filter((text) => isUsable(text) && !customersIn(text))
        .map((text) => ({ text, stems: wordStems(text), type, rank, isProof: isProof(text) })),
    ),
    proofs: parts.flatMap((part) => proofsOf(part, company, isProof, isUsable, namesRival)),
    followers: followersIn(parts, isUsable),
  }
}

/** The public part of a section; empty for sections for internal use. */
function partOf({ type, title = '', content_md }: KnowledgeSection): Part[] {
  const kind = type.replaceAll('_', ' ')
  const isProofType = PROOF_SECTION.test(kind)
  const isOpenType = isProofType || PITCH_TYPES.includes(type)
  const isPrivate = (name: string) => CUSTOMERS_ASIDE.test(name) || (!isOpenType && NAMES_ASIDE.test(name))
  if (PRIVATE_TYPES.test(type) || isPrivate(title)) return []
  const isList = CUSTOMER_LIST.test(title.trim() || kind)
  const content = withoutPrivate(content_md, isPrivate)
  return [
    {
      type,
      isPitch: !ABOUT_CUSTOMERS.test(`${kind} ${title}`),
      isProof: isProofType || isList || (PROOF_SECTION.test(title.trim()) && !NAMES_ASIDE.test(title)),
      isList,
      isOpenType,
      content,
      sentences: splitMarkdownSentences(content).slice(0, 200),
    },
  ]
}

const ITEM = /^\s*(?:[-*+]|\d+[.)])\s/

/** Removes the text below a heading, or after a label, that marks it as internal. */
function withoutPrivate(content: string, isPrivate: (name: string) => boolean): string {
  let below: 'heading' | 'label' | null = null
  const open = content.split('\n').filter((line) => {
    const heading = /^\s*#+\s*(.+)$/.exec(line)?.[1]
    const label =
      /^[\s*_>+-]*([^:.]{2,60}):/.exec(line)?.[1] ?? /^\s*(?:\*\*|__)([^*_]{2,60})(?:\*\*|__)\s*$/.exec(line)?.[1]
    const name = heading ?? label
    if (heading !== undefined) below = isPrivate(heading) ? 'heading' : null
    else if (below === 'label' && line.trim() !== '' && !ITEM.test(line)) below = null
    if (name !== undefined && isPrivate(name)) {
      below ??= 'label'
      return false
    }
    return below === null
  })
  return open.join('\n')
}

const MOST_COMPETITORS = 100

function competitorsIn(sections: readonly KnowledgeSection[], company: string | undefined): RegExp[] {
  const names = new Set<string>()
  for (const { type, title = '', content_md } of sections) {
    for (const [, name = ''] of content_md.slice(0, 50_000).matchAll(COMPETITOR)) names.add(name)
    if (!/^(?:competitors?|battlecards?)$/i.test(type)) continue
    if (NAME.test(title) && !COMPETITOR_WORDS.test(title)) names.add(title)
    for (const line of content_md.slice(0, 50_000).split('\n')) {
      const item =
        ITEM.test(line) &&
        line
          .replace(ITEM, '')
          .replace(/\*\*|__/g, '')
          .split(/:| [-–—] |,|\(/, 1)[0]
          ?.trim()
      if (item && NAME.test(item)) names.add(item)
    }
  }
  return [...names]
    .slice(0, MOST_COMPETITORS)
    .filter((name) => name !== company && !company?.startsWith(`${name} `))
    .map((name) => new RegExp(`(?<![\\p{L}\\p{N}])${RegExp.escape(name)}(?![\\p{L}\\p{N}])`, 'u'))
}

/** Sentences that can follow another one; list items are independent of each other. */
function followersIn(parts: readonly Part[], isUsable: (text: string) => boolean): Map<string, string> {
  const followers = new Map<string, string>()
  for (const { content } of parts) {
    for (const line of content.split('\n')) {
      if (ITEM.test(line)) continue
      const sentences = splitMarkdownSentences(line)
      for (const [at, text] of sentences.entries()) {
        const next = sentences[at + 1]
        if (next && !followers.has(text) && isUsable(next) && /\b(?:we|our)\b/i.test(next)) followers.set(text, next)
      }
    }
  }
  return followers
}

function isFit(text: string): boolean {
  const words = text.split(' ').length
  return words >= MIN_WORDS && words <= MAX_WORDS && !PLACEHOLDER.test(text) && !UNFIT.test(text)
}

const NAME = /^\p{Lu}[\p{L}\p{N}.&'’-]*(?: (?:of|and|the|&|\p{Lu}[\p{L}\p{N}.&'’-]*)){0,4}$/u
const LIST = /^(?:(?:our )?(?:customers?|clients?|references?)(?: include)?|trusted by|used by)\s?:?\s(.+)$/i

function proofsOf(
  { sentences, isProof: isOwn, isList, isOpenType }: Part,
  company: string | undefined,
  isProof: (text: string) => boolean,
  isUsable: (text: string) => boolean,
  namesRival: (text: string) => boolean,
) {
  // "Siemens uses SAP" is a note; "Siemens uses our scanners" is a proof.
  const isAboutSender = (text: string) => /\b(?:we|us|our)\b/i.test(text) || (!!company && text.includes(company))
  const proofs = sentences
    .filter(
      (text) =>
        isUsable(text) && !customersIn(text) && (isOwn || (isProof(text) && (isOpenType || isAboutSender(text)))),
    )
    .map((source) => {
      const text = toSentence(source, company, 'One example')
      return { source, text, stems: wordStems(text), score: (isOwn ? 2 : 0) + (/\d/.test(source) ? 1 : 0) }
    })
  const listed = sentences
    .flatMap((line) => customersIn(line) ?? (isList && NAME.test(line) ? [line] : []))
    .filter((name) => !namesRival(name))
  const names = [...new Set(listed)].slice(0, 3)
  const text = `Our customers include ${spoken(names)}.`
  return names.length === 0 ? proofs : [...proofs, { source: '', text, stems: wordStems(text), score: 1 }]
}

/** "Customers: Acme, Globex and Initech". */
function customersIn(line: string): string[] | null {
  const listed = LIST.exec(line.replace(/\.$/, ''))?.[1]
  const names = listed?.split(/, (?:and )?| and /).map((name) => name.trim())
  return names?.every((name) => NAME.test(name)) ? names : null
}

const spoken = (names: readonly string[]) =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`

const COMMON = new Set(
  'about their which there these those where while would could should other every after before company announced'.split(
    ' ',
  ),
)

/** The beginnings of words, so that "warehouse" and "warehouses" are equal. */
export function wordStems(text: string): Set<string> {
  const words = text.toLowerCase().match(/\p{L}{5,}/gu) ?? []
  return new Set(words.filter((word) => !COMMON.has(word)).map((word) => word.slice(0, 7)))
}
