// A signal in plain language ("companies that open a warehouse in Poland") compiled to a matcher: the words that
// carry the meaning become terms, each with its forms and synonyms; a sentence matches when it holds enough of them.

import { wordsOf } from '../scan.ts'
import { buildLexicon, CUE_BIT, type Document, readDocument } from './document.ts'
import { verbForms } from './lexicon.ts'
import { type Prominence, REFERENCE_THRESHOLD } from './prominence.ts'

export type CustomMatcher = {
  signal_id: string
  description: string
  /** Each term is a list of phrases with the same meaning. */
  terms: string[][]
  /** How many different terms a sentence must hold. */
  required: number
  /** Phrases that rule a sentence out ("not", "except", "without" in the description). */
  excluded: string[]
}

export type CustomMatch = { signal_id: string; confidence: number; sentence: number }

const STOP_WORDS = new Set(
  (
    'a an the and or of to in on at for from by with as is are was were be been being has have had do does did will ' +
    'would should could can may might must that which who whom whose this these those it its they their them we our ' +
    'you your i me my he she his her company companies business businesses organization organizations firm firms ' +
    'signal signals when where whenever if any all some every each account accounts prospect prospects find detect ' +
    'show tell alert notify look looking watch mention mentions mentioned mentioning talk talks talking about news ' +
    'new recently recent just today announce announces announced announcing say says said start starts started begin ' +
    'begins began into over under more most than then there here other another such like also only very really ' +
    'them us so up out per via something someone anyone anything'
  ).split(' '),
)

const EXCLUDING = new Set(['not', 'no', 'without', 'except', 'excluding', 'never', 'but'])

// Words a salesperson uses and the ones a press release uses for the same thing.
const SYNONYMS: readonly string[][] = [
  ['open', 'opening', 'launch', 'establish', 'inaugurate'],
  ['buy', 'purchase', 'acquire', 'acquisition'],
  ['hire', 'recruit', 'hiring', 'recruitment', 'appoint'],
  ['move', 'relocate', 'relocation', 'migrate', 'migration', 'switch', 'transition'],
  ['use', 'adopt', 'deploy', 'implement', 'implementation', 'deployment', 'adoption', 'select', 'roll out', 'rollout'],
  [
    'warehouse',
    'distribution center',
    'distribution centre',
    'fulfilment center',
    'fulfillment center',
    'logistics center',
  ],
  ['office', 'offices', 'location', 'headquarters'],
  ['factory', 'plant', 'manufacturing facility', 'production facility', 'gigafactory'],
  ['certification', 'certified', 'accreditation', 'accredited', 'certificate', 'certify'],
  ['win', 'receive', 'earn', 'achieve', 'obtain', 'secure', 'won', 'get', 'got', 'attain', 'complete'],
  ['sustainability', 'esg', 'carbon neutral', 'net zero', 'climate', 'sustainable', 'emissions'],
  ['lawsuit', 'sued', 'litigation', 'legal action', 'sue', 'suing'],
  ['fine', 'fined', 'penalty', 'penalties', 'settlement', 'sanction'],
  ['rebrand', 'rebranding', 'renamed', 'new name', 'new brand', 'rename', 'rebrands', 'rebranded'],
  ['grow', 'growth', 'increase', 'expand', 'expansion'],
  ['cut', 'reduce', 'reduction', 'decrease', 'lower'],
  ['ai', 'artificial intelligence', 'machine learning', 'generative ai'],
  ['software', 'platform', 'system', 'solution', 'application'],
  ['vendor', 'supplier', 'provider'],
  ['contract', 'deal', 'agreement', 'order'],
  ['conference', 'event', 'summit', 'trade show', 'webinar'],
  ['award', 'prize', 'honor', 'recognition'],
  ['patent', 'patents', 'intellectual property'],
  ['research', 'study', 'trial', 'clinical trial'],
  ['remote', 'hybrid', 'work from home', 'remote work'],
  ['price', 'pricing', 'prices', 'price increase'],
  ['fleet', 'vehicles', 'trucks'],
  ['electric', 'ev', 'evs'],
]

const synonymsOf = new Map<string, string[]>()
for (const group of SYNONYMS) for (const word of group) synonymsOf.set(word, group)

/** A description without a word that could be looked for. */
export class EmptyDescription extends Error {}

/** Compiles a description. Throws EmptyDescription. */
export function compileCustomSignal(signalId: string, description: string): CustomMatcher {
  const words = wordsOf(description).slice(0, 60)
  const wanted: string[] = []
  const excluded: string[] = []
  let excluding = false
  for (const word of words) {
    if (EXCLUDING.has(word)) excluding = true
    else if (!STOP_WORDS.has(word) && word.length > 1) (excluding ? excluded : wanted).push(word)
  }
  const terms: string[][] = []
  for (const word of wanted) {
    if (terms.some((phrases) => phrases.includes(word))) continue
    terms.push(phrasesOf(word))
  }
  if (terms.length === 0) throw new EmptyDescription('The description names nothing that could be looked for')
  return {
    signal_id: signalId,
    description,
    terms,
    // All of a short description; of a long one two thirds, for nobody writes like the press.
    required: terms.length <= 2 ? terms.length : Math.max(2, Math.ceil((terms.length * 2) / 3)),
    excluded: [...new Set(excluded.flatMap(phrasesOf))],
  }
}

function phrasesOf(word: string): string[] {
  const stem = stemOf(word)
  const base = synonymsOf.get(word) ?? synonymsOf.get(stem) ?? synonymsOf.get(`${stem}e`) ?? [word]
  const phrases = new Set<string>([word])
  for (const phrase of base) {
    phrases.add(phrase)
    if (phrase.includes(' ')) continue
    const root = phrase === word ? stem : phrase
    for (const form of [...verbForms(root), ...verbForms(`${root}e`)]) phrases.add(form)
  }
  return [...phrases]
}

/** A verb or noun without its ending; crude, but both forms are looked for. */
function stemOf(word: string): string {
  if (word.length > 5 && word.endsWith('ing')) return word.slice(0, -3)
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`
  if (word.length > 4 && word.endsWith('ed')) return word.slice(0, -2)
  if (word.length > 4 && /(?:ch|sh|ss|x)es$/.test(word)) return word.slice(0, -2)
  if (word.length > 3 && word.endsWith('s') && !word.endsWith('ss')) return word.slice(0, -1)
  return word
}

export type PreviewMatch = { sentence: string; terms: string[]; confidence: number }

/** Tries a matcher on a text as if the text were about the company: every matching sentence, with the words that matched. */
export function previewCustomSignal(matcher: CustomMatcher, title: string, text: string): PreviewMatch[] {
  const document = readDocument(buildLexicon([matcher.terms]), title, text)
  const { tokens, sentences } = document
  const bySentence = Map.groupBy(document.custom, (hit) => hit.sentence)
  const matches: PreviewMatch[] = []
  for (const [index, hits] of bySentence) {
    const found = new Set(hits.map((hit) => hit.term)).size
    if (found < matcher.required) continue
    const confidence = confidenceOf(document, matcher, { bySentence, score: 1 }, index, found)
    if (confidence === 0) continue
    const { from, to } = sentences[index] as (typeof sentences)[number]
    const terms = hits.map((hit) => tokens.text.slice(tokens.start[hit.from], tokens.end[hit.to]))
    matches.push({
      sentence: tokens.text.slice(tokens.start[from], tokens.end[to - 1]),
      terms: [...new Set(terms)],
      confidence,
    })
  }
  return matches.sort((a, b) => b.confidence - a.confidence)
}

/** The best sentence for each custom signal that the document speaks of with the company in view. */
export function matchCustomSignals(
  document: Document,
  matchers: readonly CustomMatcher[],
  prominence: Prominence,
): CustomMatch[] {
  const matches = new Map<number, CustomMatch>()
  // Hits come in the order of the text, so the hits of one sentence stand together.
  const hits = document.custom
  let at = 0
  while (at < hits.length) {
    const sentence = (hits[at] as (typeof hits)[number]).sentence
    const termsByOwner = new Map<number, Set<number>>()
    for (; at < hits.length && hits[at]?.sentence === sentence; at++) {
      const { owner, term } = hits[at] as (typeof hits)[number]
      const terms = termsByOwner.get(owner)
      if (terms) terms.add(term)
      else termsByOwner.set(owner, new Set([term]))
    }
    for (const [owner, terms] of termsByOwner) {
      const matcher = matchers[owner] as CustomMatcher
      if (terms.size < matcher.required) continue
      const confidence = confidenceOf(document, matcher, prominence, sentence, terms.size)
      const best = matches.get(owner)
      if (confidence > (best?.confidence ?? 0))
        matches.set(owner, { signal_id: matcher.signal_id, confidence, sentence })
    }
  }
  return [...matches.values()]
}

/** Whether a sentence holds what the description excludes. */
export function isRuledOut(
  { tokens, lower, sentences }: Document,
  { excluded }: CustomMatcher,
  index: number,
): boolean {
  if (excluded.length === 0) return false
  const { from, to } = sentences[index] as Document['sentences'][number]
  const words = wordsOf(lower.slice(tokens.start[from], tokens.end[to - 1]))
  return excluded.some((phrase) => words.includes(phrase))
}

function confidenceOf(
  document: Document,
  matcher: CustomMatcher,
  prominence: { bySentence: ReadonlyMap<number, unknown>; score: number },
  index: number,
  found: number,
): number {
  const sentence = document.sentences[index] as Document['sentences'][number]
  const mask = document.masks[index] as number
  if (sentence.section === 'forward' || sentence.section === 'contact') return 0
  if (isRuledOut(document, matcher, index)) return 0
  const isNamed = prominence.bySentence.has(index)
  if (!isNamed && prominence.score < REFERENCE_THRESHOLD) return 0
  let logit = 0.4 + (found / matcher.terms.length) * 1.2
  logit += isNamed ? 0.6 : prominence.score - 0.6
  if (sentence.section === 'title') logit += 0.5
  if (sentence.section === 'about') logit -= 1.5
  if (mask & CUE_BIT.announce) logit += 0.3
  if (mask & CUE_BIT.negation) logit -= 1
  if (mask & CUE_BIT.rumour) logit -= 0.6
  if (mask & CUE_BIT.history) logit -= 0.4
  if (matcher.terms.length === 1) logit -= 0.3
  return 1 / (1 + Math.exp(-logit))
}
