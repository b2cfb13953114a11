// Drafts knowledge base sections from the sender's own site: sentences of the site are chosen and quoted, never reworded.

import { cutText } from '../text/storable.ts'
import { cutAtWord, escapeMarkdown, splitMarkdownSentences } from './quoting.ts'

export type ProfilePage = { url: string; kind: string; title: string | null; text: string }

export type SectionDraft = {
  type: 'overview' | 'product' | 'value_prop' | 'icp' | 'pricing' | 'competitor'
  title: string
  content_md: string
  /** The page that contains all its sentences. */
  source_url: string
  /** The sentences exactly as on the page. */
  drawn_from: { url: string; sentence: string }[]
}

type Company = { name: string | null; description: string | null }

type Rule = {
  type: SectionDraft['type']
  title: (name: string | null) => string
  /** Kinds of pages that are searched, best first. */
  kinds: readonly string[]
  matches: (sentence: string, name: string | null) => boolean
}

const MAX_SENTENCES = 6
const MAX_SENTENCE_CHARS = 400
const MAX_CONTEXT_CHARS = 600
const MAX_PAGE_CHARS = 50_000

/** Groups of buyers; "for" without one does not describe customers. */
const BUYERS =
  'teams|companies|businesses|manufacturers|retailers|utilities|banks|hospitals|agencies|brands|startups|start-ups|' +
  'scaleups|enterprises|organi[sz]ations|developers|engineers|marketers|founders|providers|operators|firms|schools|' +
  'universities|governments|municipalities|cities|shops|stores|merchants|leaders|professionals|departments|clinics|' +
  'insurers|lenders|carriers|shippers|farmers|growers|hotels|restaurants|publishers|lawyers|accountants|recruiters|' +
  'makers|builders|contractors|landlords|institutions|laboratories|labs|factories|plants|warehouses|fleets|airlines|' +
  'railways|ports|distributors|wholesalers|vendors|buyers|sellers|owners|managers|customers in|clients in'

const MAKES =
  'makes?|builds?|offers?|provides?|develops?|sells?|delivers?|produces?|designs?|runs?|operates?|supplies|supply|creates?'
const THING =
  '(?:platform|software|products?|solutions?|tools?|apps?|services?|suite|engine|api|devices?|systems?|sensors?|machines?|marketplace|network)'

/** The words after the subject of a sentence about what a company is or does. */
const DESCRIBES = new RegExp(`^,? (?:\\w+ )?(?:is|are|was|helps?|${MAKES})\\b`)

const ABOUT_US =
  /\b(?:founded|established|since \d{4}|mission|headquartered|based in|team of|employs?|offices? in|family[- ]owned)\b/i
const OFFERS = new RegExp(
  `\\b(?:we|our|it|us)\\b.*\\b(?:${MAKES})\\b|\\b${THING}\\b.*\\b(?:that|which|for|lets?|helps?|gives?|connects?|collects?|automates?|manages?|tracks?)\\b|\\b(?:${MAKES})\\b.*\\b${THING}\\b`,
  'i',
)
const GAINS =
  /\b(?:saves?|saving|cuts?|reduces?|increases?|boosts?|grows?|faster|quicker|cheaper|fewer|without (?:the|a|any|having)|in (?:minutes|seconds|hours)|doubles?|halves?|improves?|automatically|instead of)\b|\d ?%|\b\d+x\b/i
const FOR_WHOM = new RegExp(
  `\\b(?:for|built for|made for|designed for|trusted by|used by|chosen by|serves?|serving|works? with|helps?|helping|enables?|between)\\b(?: [\\p{L}\\p{N},'’&-]+){0,6}? (?:${BUYERS})\\b`,
  'iu',
)
const PRICE =
  /[€$£¥]\s?\d|\b\d[\d.,]*\s?(?:eur|usd|gbp|chf|euros?|dollars?|pounds)\b|\bper (?:user|seat|month|year|device|agent|member)\b|\bfree (?:plan|trial|tier|forever|of charge)\b|\b(?:custom|volume) pricing\b|\bbilled (?:monthly|annually|yearly)\b/i
const RIVAL =
  /\b(?:[Uu]nlike|[Aa]lternatives? to|[Cc]ompared (?:to|with)|[Vv]ersus|[Vv]s\.?|[Ss]witch(?:ed|ing)? from|[Mm]igrat(?:e|ed|ing) from|[Bb]etter than|[Rr]eplaces?)\s+(?:the )?(\p{Lu}[\p{L}\p{N}.&-]+)/u

/** Sentences that are on every page and do not describe the company. */
const BOILERPLATE =
  /cookies?\b|privacy|rights reserved|subscribe|newsletter|sign (?:up|in)|log ?in\b|click here|learn more|read more|javascript|terms (?:of|and)|your browser|follow us|book a demo|get started|contact us|apply now|open (?:roles|positions)/i

const RULES: readonly Rule[] = [
  {
    type: 'overview',
    title: (name) => (name ? `About ${name}` : 'About us'),
    kinds: ['about', 'home'],
    matches: (sentence, name) => ABOUT_US.test(sentence) || isAboutItself(sentence, name),
  },
  {
    type: 'product',
    title: () => 'What we offer',
    kinds: ['home', 'about'],
    matches: (sentence) => OFFERS.test(sentence),
  },
  {
    type: 'value_prop',
    title: () => 'What it brings',
    kinds: ['home', 'about'],
    matches: (sentence) => GAINS.test(sentence),
  },
  {
    type: 'icp',
    title: () => 'Who we sell to',
    kinds: ['home', 'about'],
    matches: (sentence) => FOR_WHOM.test(sentence),
  },
  { type: 'pricing', title: () => 'Pricing', kinds: ['pricing'], matches: (sentence) => PRICE.test(sentence) },
  {
    type: 'competitor',
    title: () => 'Whom we compare ourselves with',
    kinds: ['home', 'pricing', 'about'],
    matches: (sentence, name) => namesRival(sentence, name),
  },
]

/** One draft per section type for which the site has sentences, each from a single page. */
export function draftSections({ name }: Pick<Company, 'name'>, pages: readonly ProfilePage[]): SectionDraft[] {
  const read = pages.map((page) => ({ ...page, sentences: usableSentences(page) }))
  return RULES.flatMap(({ type, title, kinds, matches }) => {
    let best: { url: string; sentences: string[] } | null = null
    for (const kind of kinds) {
      for (const page of read) {
        if (page.kind !== kind) continue
        const sentences = page.sentences.filter((sentence) => matches(sentence, name)).slice(0, MAX_SENTENCES)
        if (sentences.length > (best?.sentences.length ?? 0)) best = { url: page.url, sentences }
      }
    }
    if (!best) return []
    const { url, sentences } = best
    const content_md = sentences.map((sentence) => `- ${escapeMarkdown(sentence)}`).join('\n')
    const drawn_from = sentences.map((sentence) => ({ url, sentence }))
    return [{ type, title: title(name), content_md, source_url: url, drawn_from }]
  })
}

/** A description of the company in its own sentences; null when the site has none. */
export function describeCompany({ name, description }: Company, pages: readonly ProfilePage[]): string | null {
  const own = description?.replace(/\s+/g, ' ').trim()
  if (own) return cutAtWord(own, MAX_CONTEXT_CHARS)
  for (const kind of ['about', 'home']) {
    const sentences = pages
      .filter((page) => page.kind === kind)
      .flatMap(usableSentences)
      .filter((sentence) => isAboutItself(sentence, name) || OFFERS.test(sentence))
      .slice(0, 3)
    if (sentences.length > 0) return cutAtWord(sentences.join(' '), MAX_CONTEXT_CHARS)
  }
  return null
}

/** Sentences worth quoting, each once: long enough, and no boilerplate. */
function usableSentences({ text, kind }: ProfilePage): string[] {
  const shortest = kind === 'pricing' ? 2 : 4
  const usable = splitMarkdownSentences(cutText(text, MAX_PAGE_CHARS)).filter((sentence) => {
    const words = sentence.split(' ').length
    return (
      words >= shortest &&
      sentence.length <= MAX_SENTENCE_CHARS &&
      !sentence.endsWith('?') &&
      // A price is often followed by its button.
      (kind === 'pricing' || !BOILERPLATE.test(sentence))
    )
  })
  return [...new Set(usable)]
}

/** "Harrow makes gauges", "We are a team of …". */
function isAboutItself(sentence: string, name: string | null): boolean {
  if (/^(?:We|Our (?:company|firm|group)) /.test(sentence)) return DESCRIBES.test(sentence.replace(/^We|^Our \w+/, ''))
  return !!name && sentence.startsWith(name) && DESCRIBES.test(sentence.slice(name.length))
}

function namesRival(sentence: string, name: string | null): boolean {
  const rival = RIVAL.exec(sentence)?.[1]
  return rival !== undefined && !name?.startsWith(rival.replace(/[.,]$/, ''))
}
