// The fixed sentences of a message. They state nothing about the account beyond the event. There are several of each kind, so
// that the drafts of a workspace do not read alike.
import type { EventKind, EventSummary } from './event.ts'

/** Values for phrases; a phrase whose value is null is not used. */
export type PhraseParts = EventSummary & {
  account: string
  problem: string
  /** The sender's company. */
  company: string | null
  /** When the last deal was decided: "in June 2025". */
  talked: string
  /** The company at which the reader was a customer. */
  former: string
}
export type Phrase = (parts: PhraseParts) => string | null

export const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
const talkable =
  (phrase: (topic: string, account: string) => string): Phrase =>
  ({ topic, is_talkable, account }) =>
    is_talkable ? phrase(topic, account) : null

const SEEN: readonly Phrase[] = [
  ({ you }) => you && `I saw that ${you}.`,
  ({ you }) => you && `I noticed that ${you}.`,
  ({ clause, is_seen }) => (clause && !is_seen ? `I read that ${clause}.` : null),
  ({ clause, you, is_seen }) => (clause && you && !is_seen ? `I came across the news that ${clause}.` : null),
]
const CONGRATULATIONS: readonly Phrase[] = [
  ({ doing }) => doing && `Congratulations on ${doing}.`,
  ({ doing, topic, is_talkable }) => (doing && is_talkable ? `Congratulations on ${topic}.` : null),
  ({ doing, you }) => doing && you && `I saw that ${you}: congratulations!`,
  ({ doing, clause }) => doing && clause && `I read that ${clause}: congratulations to the whole team.`,
]
const NEWS: readonly Phrase[] = [
  ({ news }) => news && `I read about ${news}.`,
  ({ news }) => news && `I saw the news about ${news}.`,
]
/** The sentence of the source says more than a clause such as “Acme is expanding”. */
const QUOTES: readonly Phrase[] = [
  ({ quote }) => quote && `I just read this: “${quote}.”`,
  ({ quote }) => quote && `I came across this news: “${quote}.”`,
]

/** Openings: one sentence of the first group with a usable sentence. Without one there is nothing to write about. */
export const OPENINGS: Readonly<Record<EventKind, readonly (readonly Phrase[])[]>> = {
  growth: [QUOTES, [...CONGRATULATIONS, ...SEEN.slice(0, 2)], SEEN],
  market: [QUOTES, [...CONGRATULATIONS, ...SEEN.slice(0, 2)], SEEN],
  change: [NEWS, QUOTES, SEEN],
  other: [QUOTES, SEEN],
  hardship: [
    [
      ({ news }) =>
        news && `I was sorry to read about ${news}. You will have a lot on your desk, so I’ll keep this short.`,
      ({ news }) =>
        news && `I read about ${news}, and I hope that you and your colleagues are coping. Only a few lines from me.`,
    ],
    [
      ({ topic, account }) =>
        `I was sorry to read about ${topic} at ${account}. You will have a lot on your desk, so I’ll keep this short.`,
      ({ topic, account }) =>
        `I read about ${topic} at ${account}, and I hope that you and your colleagues are coping. Only a few lines from me.`,
    ],
  ],
}

/** Openings when the news is the reader's own new position. */
export const NEW_POSITION = (title: string | null): readonly Phrase[] => {
  const role = title ? ` as ${title}` : ''
  return [
    ({ account }) => `Congratulations on your new role${role} at ${account}.`,
    ({ account }) => `I read that you have joined ${account}${role}, and I wish you a good start.`,
    ({ account }) => `Congratulations on your appointment${role} at ${account}.`,
  ]
}

/** The question at the end of a message that makes an offer. */
export const ASKS: readonly Phrase[] = [
  ({ account }) => `Would it be useful to see how this would work at ${account}?`,
  () => 'Would a short call be worth your time?',
  ({ account }) => `Is this something that ${account} is looking at?`,
  () => 'Would you be open to a short call about it?',
  ({ account }) => `May I show you what this could look like at ${account}?`,
  ({ account }) => `Is this a topic at ${account} at the moment?`,
  () => 'Does this fit what you are working on?',
  () => 'Shall I send you a short example?',
  ({ account }) => `Could this be of use to ${account}?`,
]
/** Questions when the knowledge base contains no offer. */
export const ASKS_ALONE: readonly Phrase[] = [
  ({ problem }) => `How are you planning to go about ${problem}?`,
  ({ problem }) => `Would it help to compare notes on ${problem}?`,
  ({ problem }) => `Is ${problem} on your list for the coming months?`,
]
/** Questions after hard news, which leave the timing to the reader. */
export const ASKS_LATER: readonly Phrase[] = [
  () => 'May I get back to you when things are calmer?',
  () => 'Would it be all right if I wrote again in a few weeks?',
  () => 'If this could help, now or later, would you let me know?',
]

export const SHORT_ASKS: readonly Phrase[] = [
  () => 'Open to a short exchange?',
  () => 'Worth a short call?',
  () => 'Would that be useful to you?',
]

/** What the team has with the account, where the reader may know it; `champion`: only the reader knows the team. */
export type KnownRelation = 'customer' | 'open_deal' | 'lost_deal' | 'former_customer' | 'champion'

const NOTHING: readonly Phrase[] = [() => null]
const we = (company: string | null) => (company ? `We at ${company}` : 'We')

/** The sentence before the news: a deal was lost, and the reader may remember it. It names no reason and blames no one. */
export const EARLIER_TALKS: readonly Phrase[] = [
  ({ talked, company }) => `${we(company)} talked with your team ${talked}, and it did not come together then.`,
  ({ talked, company }) =>
    `You may remember ${company ?? 'us'}: we talked with your team ${talked} and left it there at the time.`,
  ({ talked, company }) =>
    `${we(company)} were in touch with your team ${talked}, and I would like to pick that up again.`,
]

const WORKED_BEFORE: readonly Phrase[] = [
  ({ account, company }) =>
    `${account} has worked with ${company ?? 'us'} before, so you may know what we do and how we work.`,
]

/** What the relationship means for the offer. Customers and open deals get it in place of an offer. */
export const RELATION_REMARKS: Readonly<Record<KnownRelation, readonly Phrase[]>> = {
  customer: [
    ({ account, company }) =>
      `${account} already works with ${company ?? 'us'}, so I want to make sure that we keep up with you. If your needs change, please tell me, and I will take care of it.`,
    ({ account, company }) =>
      `As ${account} is a customer of ${company ?? 'ours'}, please tell me early if you need more from us or something different. A few lines are enough, and I will see to it.`,
    ({ account, company }) =>
      `You already have us on board: ${account} works with ${company ?? 'us'}, so it takes only a few lines to get help from us with this, and I will see to it.`,
  ],
  open_deal: [
    () =>
      'As we are already talking with your team, I would rather ask than guess what this means for you, and I am glad to adapt our plans.',
    () =>
      'It may matter for what we are discussing with your team, so I did not want to wait with it. We can still adapt our plans where you need it.',
    ({ account }) =>
      `We are already talking with your team, and I want our plans to fit what is happening at ${account}. We can still adapt them.`,
  ],
  lost_deal: NOTHING,
  former_customer: [
    ...WORKED_BEFORE,
    ({ account, company }) =>
      `You may know ${company ?? 'us'}, because ${account} has worked with us before, and I would be glad to do so again.`,
  ],
  champion: [
    ({ former, company }) =>
      `You know ${company ?? 'us'} from your time at ${former}, and I would be glad to work with you again.`,
    ({ former, account, company }) =>
      `${former} and ${company ?? 'we'} worked together while you were there, so I hope that we can do the same at ${account}.`,
  ],
}
/** The same after hard news. */
export const REMARKS_AFTER_HARD_NEWS: Readonly<Partial<Record<KnownRelation, readonly Phrase[]>>> = {
  customer: [
    ({ account, company }) =>
      `${account} is a customer of ${company ?? 'ours'}, so if we can make anything easier for you at the moment, a few lines are enough.`,
  ],
  open_deal: [() => 'What we are discussing with your team can wait, and we can adapt our plans where you need it.'],
  former_customer: WORKED_BEFORE,
}

/** Questions to readers who are not asked whether they want to get to know the sender. */
export const RELATION_ASKS: Readonly<Partial<Record<KnownRelation, readonly Phrase[]>>> = {
  customer: [
    () => 'What would you need from us for it?',
    () => 'Does this change what you need from us?',
    () => 'Would a short call help, to plan what you need from us?',
  ],
  open_deal: [
    () => 'Does this change anything in what we are discussing?',
    () => 'Is there something in it that we should take into account?',
    () => 'Does it change your priorities or your timing?',
  ],
}

/** A product has a name without an article. */
const isNamed = (topic: string) => !topic.startsWith('the ')

const PLAIN_SUBJECTS: readonly Phrase[] = [({ account }) => `A question about ${account}`, () => 'Your recent news']
const TOPICS: readonly Phrase[] = [
  talkable((topic) => (isNamed(topic) ? `The launch of ${topic}` : capital(topic))),
  talkable((topic) => `About ${topic}`),
  talkable((topic, account) => (topic.includes(account) ? `About ${topic}` : `${account} and ${topic}`)),
]

/** Subject lines: one of the first group with a usable line. */
export const SUBJECTS: Readonly<Record<EventKind, readonly (readonly Phrase[])[]>> = {
  growth: [TOPICS, [({ problem }) => capital(problem), ({ account }) => `The next months at ${account}`]],
  market: [TOPICS, PLAIN_SUBJECTS],
  change: [TOPICS, [({ problem }) => capital(problem), ({ account }) => `The change at ${account}`]],
  other: [PLAIN_SUBJECTS],
  hardship: [[() => 'For when things are calmer', () => 'No hurry', () => 'A few lines, for later if you like']],
}
export const NEW_POSITION_SUBJECTS: readonly Phrase[] = [
  ({ account }) => `Your new role at ${account}`,
  ({ account }) => `Your first months at ${account}`,
]

/** Phrases that readers recognise as mass mail, or that promise too much. A text with one of them is not used. */
export const FORBIDDEN =
  /\b(?:hope this (?:e-?mail|message|note)? ?finds you|touch(?:ing)? base|circle back|reach(?:ing)? out|just checking in|pick your brain|game[- ]chang\w+|cutting[- ]edge|world[- ]class|revolutioni[sz]\w+|synerg\w+|leverage|unlock|supercharge|skyrocket|delve|in today’s fast|excited to|thrilled|no[- ]brainer|guarantee\w*|act now|limited time)\b/i

const CONTRACTIONS: readonly (readonly [RegExp, string])[] = [
  [/\bI’m\b/g, 'I am'],
  [/\bI’ll\b/g, 'I will'],
  [/\bdon’t\b/g, 'do not'],
  [/\bthat’s\b/gi, 'that is'],
]

/** Writes contractions out. */
export const formally = (text: string) => CONTRACTIONS.reduce((now, [short, long]) => now.replace(short, long), text)
