import type { Department } from '../titles/index.ts'

/** The company's role in a deal. */
export type DealRole = 'acquirer' | 'acquired' | 'merging' | 'seller'

/**
 * The required subject of a frame: the company, another organisation, or anyone; 'involved' is anyone in a sentence
 * that also involves the company.
 */
export type FrameSubject = 'company' | 'other' | 'anyone' | 'involved'

/** A wording and its claim. See `Frame` in claim/frames.ts for the notation. */
export type FrameRow = readonly [subject: FrameSubject, words: string, says?: string]

/** How a message treats a signal: as growth, an internal change, a success in the market, or hardship. */
export type NewsKind = 'growth' | 'change' | 'market' | 'hardship'

type Named = { readonly text: string }
/** What the sentence of a claim names. */
export type NamedDetails = { people: readonly Named[]; position: Named | null; product: Named | null }

/** A pattern for claims, and the topic of the event; null continues with the next row. */
export type TopicRow = readonly [
  claim: RegExp,
  topic: string | ((found: string, details: NamedDetails | null) => string | null),
]

/** One side of an event; most events have one. */
export type SignalSide = {
  role?: DealRole
  /** The claim when nothing more specific is known: "Acme raised capital". */
  predicate: string
  /** The same clause for a message, and the topic of the event there. */
  clause: string
  topic: string
  /** Wordings in order; the first match makes the claim. */
  frames: readonly FrameRow[]
  /** Wordings elsewhere in the sentence that extend the claim. */
  tails?: readonly FrameRow[]
}

/** The definition of one built-in signal. */
export type SignalRecord = {
  id: string
  name: string
  description: string
  /** What counts as the signal, for which company, and what does not: part of the second reader's prompt. */
  counts: string
  /** Paraphrases of the description, from which the classifier learns what a description means (training/). */
  wordings: readonly string[]
  /** Its color in the console. */
  color: string
  /** A company rarely has two within days: two such reports are one event even without a common name or figure. */
  seldomRepeats: boolean
  /** What distinguishes two events of it: the kind of money, or the office. */
  distinguishedBy?: 'money' | 'office'
  /**
   * It may be detected in the source of a page without a sentence; then only the claim identifies what was detected.
   */
  isSeenInSource?: true
  /** Its sentences name the location: a capitalised word after "in" is a place even if it is unknown. */
  namesLocation?: true
  /** It requires a counterpart: a sentence must name one, or contain one of these words for the relationship. */
  counterpartWords?: RegExp
  /** The first is used when the role is not known. */
  sides: readonly [SignalSide, ...SignalSide[]]
  /** In headlines: `phrases` are search terms, `event` must follow the name of the company. */
  headline: { phrases: readonly string[]; event: RegExp }
  /** How a message to the company refers to it. */
  draft: {
    kind: NewsKind
    /** Whether congratulations are appropriate. */
    isGoodNews?: true
    /** Suitable as the subject of a call: not a sum, and not a person. */
    isTalkable?: true
    /** The name of the event after its first mention; the topic of its side where no row matches. */
    topics: readonly TopicRow[]
    /** The wording after "I read about", where a clause would be tactless. */
    news?: (topic: string, account: string) => string
    /** Claims about a side to which the offer does not apply. */
    otherSide?: RegExp
    /** The departments concerned, the closest first. */
    departments: readonly Department[]
    /** Words that make a sentence of the offer fit the signal without using its words. */
    near: RegExp
    /** Words that make a sentence of the offer specific to the signal, and unsuitable for others. */
    about?: RegExp
  }
}

/** "a terminal in Basel" as "the terminal in Basel". */
export const withDefiniteArticle = (thing: string) => `the ${thing.replace(/^(?:a|an|the|its|another|one) /i, '')}`
