import type { Department } from '../titles/index.ts'

/** Which side of a deal the company is on. */
export type DealRole = 'acquirer' | 'acquired' | 'merging' | 'seller'

/**
 * Whose doing a frame tells: the company's, that of another organisation, whoever's; or, of a sentence that names the
 * company, that of all who are in it.
 */
export type FrameSubject = 'company' | 'other' | 'anyone' | 'involved'

/** A wording and the claim made of it. See `Frame` in claim/match.ts for the notation. */
export type FrameRow = readonly [subject: FrameSubject, words: string, says?: string]

/** How a message speaks of a signal: of more to come, of a change inside, of a success outside, or of hard times. */
export type NewsKind = 'growth' | 'change' | 'market' | 'hardship'

type Named = { readonly text: string }
/** What a claim's sentence names. */
export type NamedDetails = { people: readonly Named[]; position: Named | null; product: Named | null }

/** A claim, and what it calls the event; null passes on to the next row. */
export type TopicRow = readonly [
  claim: RegExp,
  topic: string | ((found: string, details: NamedDetails | null) => string | null),
]

/** One side of an event; most events have one. */
export type SignalSide = {
  role?: DealRole
  /** What a claim says of the company when it can say no more: "Acme raised capital". */
  predicate: string
  /** The same as a message says it, and what the event is called there. */
  clause: string
  topic: string
  /** How sentences word it. Tried in order; the first that fits makes the claim. */
  frames: readonly FrameRow[]
  /** What may be elsewhere in the sentence and is added to the claim. */
  tails?: readonly FrameRow[]
}

/** All that the service knows of one built-in signal. */
export type SignalRecord = {
  id: string
  name: string
  description: string
  /** What counts as it, for which company, and what does not: a second reader is asked by it. */
  counts: string
  /** The description in other words, from which the reader learns what a description means (training/). */
  wordings: readonly string[]
  /** The hue of its mark in the console. */
  color: string
  /** A company seldom has two within days: two reports are then one event even if they share no name and no figure. */
  seldomRepeats: boolean
  /** What differs between two events of it: the kind of money, or the office somebody holds. */
  distinguishedBy?: 'money' | 'office'
  /** It may be seen in the source of a page without a sentence that tells it: only the claim says then what was seen. */
  isSeenInSource?: true
  /** Its sentences tell where: a capitalised word after "in" is a place even if nobody knows it. */
  namesLocation?: true
  /** It needs another side: a sentence names one, or has one of these words for what binds the two. */
  counterpartWords?: RegExp
  /** The first is what is said when the side is not known. */
  sides: readonly [SignalSide, ...SignalSide[]]
  /** In headlines: `phrases` are searched for, `event` must follow the name of the company. */
  headline: { phrases: readonly string[]; event: RegExp }
  /** What a message to the company says of it. */
  draft: {
    kind: NewsKind
    /** One congratulates on it. */
    isGoodNews?: true
    /** Something to have a call about: not a sum, and not a person. */
    isTalkable?: true
    /** What the event is called once it has been told; the topic of its side where no row fits. */
    topics: readonly TopicRow[]
    /** What to say after "I read about", where a clause would hurt. */
    news?: (topic: string, account: string) => string
    /** Claims of a side to which what we offer does not speak. */
    otherSide?: RegExp
    /** Who is closest to it, the closest first. */
    departments: readonly Department[]
    /**
     * What it means for a department, where its kind does not say it well: `rest` for those not named here, `Other` for
     * those that its kind does not name either.
     */
    areas?: Partial<Record<Department | 'rest', string>>
    /** Words by which a sentence of ours fits it without using its words. */
    near: RegExp
    /** Words by which a sentence of ours is about it, and out of place beside another. */
    about?: RegExp
  }
}

/** "a terminal in Basel" as "the terminal in Basel". */
export const withDefiniteArticle = (thing: string) => `the ${thing.replace(/^(?:a|an|the|its|another|one) /i, '')}`
