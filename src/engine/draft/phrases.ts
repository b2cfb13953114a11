// The fixed sentences of a message. They state nothing about the account beyond the event, and mark assumptions about a role as
// guesses. There are several of each kind, so that consecutive drafts do not read alike.
import type { EventKind, EventSummary } from './event.ts'

/** Values for phrases; a phrase whose value is null is not used. */
export type PhraseParts = EventSummary & {
  account: string
  /** "3 November", the date of the company's own announcement. */
  announced: string | null
}
export type Phrase = (parts: PhraseParts) => string | null

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
/** A phrase that is used only where the topic suits a call. */
const ofTopic =
  (phrase: (topic: string, account: string) => string): Phrase =>
  ({ topic, is_talkable, account }) =>
    is_talkable ? phrase(topic, account) : null

const READ: readonly Phrase[] = [
  ({ clause, is_seen }) => (clause && !is_seen ? `I read that ${clause}.` : null),
  ({ clause }) => clause && `I saw that ${clause}.`,
  ({ announced, topic, is_talkable }) =>
    announced && is_talkable ? `I read your announcement of ${announced} about ${topic}.` : null,
  ({ clause, is_seen }) =>
    clause && !is_seen && !clause.includes(',') ? `The news that ${clause} is why I am writing.` : null,
  ({ clause }) => clause && `I noticed that ${clause}.`,
]
const CONGRATULATIONS: readonly Phrase[] = [
  ({ doing }) => doing && `Congratulations on ${doing}.`,
  ({ doing, account }) => doing && `Congratulations to you and everyone at ${account} on ${doing}.`,
  ({ doing }) => doing && `Well done on ${doing}.`,
]
const QUOTES: readonly Phrase[] = [
  ({ quote, announced }) => quote && announced && `I read your news of ${announced}: “${quote}.”`,
  ({ quote }) => quote && `A line in the news made me want to write to you: “${quote}.”`,
  ({ quote }) => quote && `This line in the news caught my eye: “${quote}.”`,
  ({ quote }) => quote && `I came across this line and thought of writing to you: “${quote}.”`,
]
const NEWS: readonly Phrase[] = [
  ({ news }) => news && `I read about ${news}.`,
  ({ news }) => news && `I saw the news about ${news}.`,
]
const PLAIN: readonly Phrase[] = [({ account }) => `I read the news from ${account}.`]

/** Openings of a message: one sentence of the first group with a usable sentence. */
export const OPENINGS: Readonly<Record<EventKind, readonly (readonly Phrase[])[]>> = {
  growth: [QUOTES, [...CONGRATULATIONS, ...READ], PLAIN],
  market: [QUOTES, [...CONGRATULATIONS, ...READ], PLAIN],
  change: [NEWS, QUOTES, READ, PLAIN],
  other: [QUOTES, READ, PLAIN],
  hardship: [
    [
      ({ news }) =>
        news && `I read about ${news} and hope that you and your colleagues are coping. I will keep this short.`,
      ({ news }) =>
        news && `I read about ${news}, and I am sorry. You will have other things on your mind, so only a few lines.`,
    ],
    [
      ({ clause }) =>
        clause && `I read that ${clause}. I know that this is not a time for sales messages, so I will be brief.`,
      ({ clause }) =>
        clause &&
        `I read that ${clause}, and I am sorry. You will have other things on your mind, so only a few lines.`,
    ],
    PLAIN,
  ],
}

/** Openings when the news is the reader's own new position. */
export const NEW_POSITION = (title: string): readonly Phrase[] => [
  ({ account }) =>
    `Congratulations on your new role as ${title} at ${account}. You will have a long list already, so I will be brief.`,
  ({ account }) =>
    `I read that you are the new ${title} at ${account}: congratulations, and I wish you a good start. I will keep this short.`,
  ({ account }) =>
    `Congratulations on becoming ${title} at ${account}. You will be busy, so here is only a short note.`,
]

/** A title with a comma needs another opening than "As Vice President, Commercial, you". */
const inRole = (title: string) => (title.includes(',') ? `In your role as ${title}` : `As ${title}`)

/** Why the event concerns this reader, when their title is known. */
export const FOR_TITLE: readonly ((area: string, title: string) => string)[] = [
  (area, title) => `I imagine that ${area} is part of your job as ${title}.`,
  (area, title) => `${capital(area)} has probably landed on your desk as ${title}.`,
  (area, title) => `${inRole(title)}, you are probably thinking about ${area}.`,
  (area, title) => `${inRole(title)}, you may well be the one ${area}.`,
]
/** Why the event concerns this reader, when only the wanted role is known. */
export const FOR_ROLE: readonly ((area: string) => string)[] = [
  (area) => `If ${area} falls to you, this may be useful.`,
  (area) => `If ${area} is your job, this may help.`,
  (area) => `I do not know whether ${area} is your job; if it is, this may help.`,
]

/** The question at the end of a message. */
export const ASKS: Readonly<Record<EventKind, readonly Phrase[]>> = {
  growth: [
    ofTopic((topic) => `Would a short call about ${topic} be useful?`),
    ofTopic((topic) => `Would you be open to a short call about ${topic}?`),
    () => 'Is this worth a short call to you?',
    () => 'Would a short call be useful, or is somebody else the better person to ask?',
    () => 'May I show you on a short call what this would look like for you?',
    () => 'Would you be open to a short call about it?',
  ],
  market: [
    ofTopic((topic) => `Would you be open to a short call about ${topic}?`),
    () => 'Would it be worth a short call to see if this fits?',
    () => 'May I show you on a short call how it works?',
    () => 'Could we find a moment for a short call?',
    () => 'Would you like to see it on a short call?',
  ],
  change: [
    () => 'Would a short call help you to judge whether this is for you?',
    ofTopic((topic) => `Would you be open to a short call about ${topic}?`),
    () => 'Could we talk about it on a short call?',
    () => 'May I show you on a short call what this could mean for you?',
  ],
  other: [
    () => 'Would you be open to a short call about this?',
    () => 'Is this worth a short call to you?',
    () => 'Could we find a moment for a short call?',
  ],
  hardship: [
    () => 'May I write to you again when things are calmer?',
    () => 'Would it be all right if I came back to you in a few months?',
    () => 'If this could help, now or later, would you let me know? If not, I will not write again.',
  ],
}
/** Questions for hard news without an offer. */
export const ASKS_LATER: readonly Phrase[] = ASKS.hardship.slice(0, 2)
/** Questions when only the proof describes the offer. */
export const ASKS_SAME: readonly Phrase[] = [
  () => 'Would a result like that be worth a short call to you?',
  () => 'Would you be open to a short call about how that was done?',
]
/** Questions when the knowledge base contains no offer. */
export const ASKS_ALONE: readonly Phrase[] = [
  () => 'I would like to hear what comes next for you. Would you be open to a short call?',
  ofTopic((topic) => `I would like to learn more about ${topic}. Would you have time for a short call?`),
  ofTopic((topic) => `May I ask you a few questions about ${topic} on a short call?`),
]

const isMoney = (topic: string) => /\d|\b(?:funding|financing|grant|offering)\b/.test(topic)

const PLAIN_SUBJECTS: readonly Phrase[] = [
  ({ account }) => `A question for ${account}`,
  ({ account }) => `Your news at ${account}`,
]
const TOPICS: readonly Phrase[] = [
  ofTopic(capital),
  ofTopic((topic, account) => `${account} and ${topic}`),
  ofTopic((topic) => `A thought on ${topic}`),
  ofTopic((topic) => `About ${topic}`),
]
const SUMS: readonly Phrase[] = [
  ({ topic, account }) => (isMoney(topic) ? `${account} and ${topic}` : null),
  ({ topic, account }) => (isMoney(topic) ? `What comes next at ${account}` : null),
  ({ topic, account }) => (/[$€£]|funding|grant/.test(topic) ? `${account} after ${topic}` : null),
]

/** Subject lines: one of the first group with a usable line. */
export const SUBJECTS: Readonly<Record<EventKind, readonly (readonly Phrase[])[]>> = {
  growth: [TOPICS, SUMS, PLAIN_SUBJECTS],
  market: [TOPICS, PLAIN_SUBJECTS],
  change: [TOPICS, PLAIN_SUBJECTS],
  other: [PLAIN_SUBJECTS],
  hardship: [[() => 'For when things are calmer', () => 'No hurry', () => 'A few lines, for later if you like']],
}
