// The sentences of our own in a message. They state nothing about the account beyond the event: what is likely for a role is
// said as a guess. Several of each kind, so that drafts in a row do not read alike.
import type { Department } from '../titles/index.ts'
import type { Kind } from './event.ts'

/** What a message may use; a sentence that needs what is not there is not used. */
export type Parts = {
  account: string
  clause: string | null
  doing: string | null
  topic: string
  quote: string | null
  /** "3 November", the day of the company's own announcement. */
  announced: string | null
}
export type Phrase = (parts: Parts) => string | null

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
const isThing = (topic: string) => topic !== 'this'

const READ: readonly Phrase[] = [
  ({ clause }) => clause && `I read that ${clause}.`,
  ({ clause }) => clause && `I saw that ${clause}.`,
  ({ announced, topic }) =>
    announced && isThing(topic) ? `I read your announcement of ${announced} about ${topic}.` : null,
  ({ clause }) => clause && `The news that ${clause} is why I am writing.`,
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
]
/** For what has neither clause nor quote to tell it. */
const NOUNS: readonly Phrase[] = [
  ({ topic, account }) => `I read about ${topic} at ${account}.`,
  ({ topic, account }) => `I saw the news about ${topic} at ${account}.`,
]

/** How a message opens, those that say most first: the first group with a sentence that can be said is used. */
export const OPENINGS: Readonly<Record<Kind, readonly (readonly Phrase[])[]>> = {
  growth: [QUOTES, [...CONGRATULATIONS, ...READ], NOUNS],
  market: [QUOTES, [...CONGRATULATIONS, ...READ], NOUNS],
  change: [QUOTES, READ, NOUNS],
  other: [QUOTES, READ, NOUNS],
  hardship: [
    [
      ({ clause }) =>
        clause && `I read that ${clause}. I know that this is not a time for sales messages, so I will be brief.`,
      ({ clause }) =>
        clause &&
        `I read that ${clause}, and I am sorry. You will have other things on your mind, so only a few lines.`,
      ({ topic, account }) =>
        `I read about ${topic} at ${account} and hope that you and your colleagues are coping. I will keep this short.`,
    ],
  ],
}

/** When the news is the reader's own new position. */
export const NEW_POSITION = (title: string): readonly Phrase[] => [
  ({ account }) =>
    `Congratulations on your new role as ${title} at ${account}. You will have a long list already, so I will be brief.`,
  ({ account }) =>
    `I read that you are now ${title} at ${account}: congratulations, and a good start. I will keep this short.`,
  ({ account }) =>
    `Congratulations on becoming ${title} at ${account}. I know that everybody wants a word with you now, so here is mine in three lines.`,
]

type Areas = Partial<Record<Department, string>> & { Other: string }

/** What somebody has to do with an event, by the field they work in. */
export const AREAS: Readonly<Record<Exclude<Kind, 'hardship' | 'other'>, Areas>> = {
  growth: {
    Executive: 'deciding what comes first',
    Sales: 'turning it into revenue',
    Marketing: 'telling the market about it',
    'Customer Success': 'keeping service steady along the way',
    Product: 'deciding what gets built next',
    Engineering: 'making sure that the systems keep up',
    Data: 'keeping the figures reliable along the way',
    IT: 'making sure that the systems keep up',
    Security: 'keeping everything secure along the way',
    Finance: 'planning and accounting for it',
    Legal: 'getting the paperwork right',
    People: 'finding and settling in the right people',
    Operations: 'making it work day to day',
    'Supply Chain': 'keeping goods moving along the way',
    Other: 'making it work in practice',
  },
  market: {
    Executive: 'making the most of it',
    Sales: 'turning it into new business',
    Marketing: 'getting the word out',
    'Customer Success': 'making it work for customers',
    Product: 'deciding what comes next',
    Engineering: 'keeping the systems behind it running',
    Data: 'measuring how it does',
    IT: 'keeping the systems behind it running',
    Security: 'keeping it secure',
    Finance: 'making the numbers work',
    Legal: 'getting the contracts right',
    People: 'finding the people to deliver it',
    Operations: 'delivering on it day to day',
    'Supply Chain': 'delivering on time',
    Other: 'delivering on it',
  },
  change: {
    Executive: 'setting the course from here',
    Sales: 'keeping customers close during the change',
    Marketing: 'explaining the change to the market',
    'Customer Success': 'keeping customers happy during the change',
    Product: 'deciding what stays and what changes',
    Engineering: 'fitting the systems together',
    Data: 'fitting the data together',
    IT: 'fitting the systems together',
    Security: 'keeping everything secure during the change',
    Finance: 'fitting the figures together',
    Legal: 'getting the paperwork right',
    People: 'taking people along',
    Operations: 'keeping the work going during the change',
    'Supply Chain': 'keeping goods moving during the change',
    Other: 'keeping things running during the change',
  },
}

/** Why this reader, when their title is known. */
export const FOR_TITLE: readonly ((area: string, title: string) => string)[] = [
  (area, title) => `I imagine that ${area} is part of your job as ${title}.`,
  (area, title) => `My guess is that ${area} lands on your desk as ${title}.`,
  (area, title) => `As ${title}, you are probably thinking about ${area}.`,
  (area, title) => `You are ${title}, so I would guess that ${area} is on your list.`,
]
/** Why this reader, when only the role is known whom we look for. */
export const FOR_ROLE: readonly ((area: string) => string)[] = [
  (area) => `If ${area} falls to you, I may be able to help.`,
  (area) => `If ${area} is on your desk, this may be useful.`,
  (area) => `If you are the one in charge of ${area}, the next lines are for you.`,
]

/** The one thing that is asked. */
export const ASKS: Readonly<Record<Kind, readonly Phrase[]>> = {
  growth: [
    ({ topic }) => (isThing(topic) ? `Would you be open to a short call about what this could do for ${topic}?` : null),
    ({ topic }) => (isThing(topic) ? `Could we talk briefly about where this would help with ${topic}?` : null),
    () => 'Is this worth a short call to you?',
    () => 'Would a short call be useful, or is somebody else the better person to ask?',
    () => 'May I show you on a short call what this would look like for you?',
  ],
  market: [
    ({ topic }) => (isThing(topic) ? `Would you be open to a short call about how this could support ${topic}?` : null),
    () => 'Would it be worth a short call to see if this fits?',
    () => 'May I show you on a short call how others use it?',
    () => 'Could we find a moment for a short call?',
    () => 'Is this something that you would like to see? A short call is enough.',
  ],
  change: [
    () => 'Would a short call help you to judge whether this is for you?',
    ({ topic }) => (isThing(topic) ? `Would you be open to a short call about ${topic}?` : null),
    () => 'Is this on your agenda, and could we talk about it briefly?',
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

/** When we have nothing to offer in words of the knowledge base. */
export const ASKS_ALONE: readonly Phrase[] = [
  ({ topic }) =>
    `I would like to hear what ${isThing(topic) ? topic : 'this'} means for your team. Would you be open to a short call?`,
  ({ topic }) => `May I ask you a few questions about ${isThing(topic) ? topic : 'this'} on a short call?`,
]

export const SUBJECTS: Readonly<Record<Kind, readonly Phrase[]>> = {
  growth: [
    ({ topic }) => (isThing(topic) ? capital(topic) : null),
    ({ topic, account }) => (isThing(topic) ? `${account} and ${topic}` : null),
    ({ topic }) => (isThing(topic) ? `An idea for ${topic}` : null),
    ({ topic }) => (isThing(topic) ? `What comes after ${topic}` : null),
  ],
  market: [
    ({ topic }) => (isThing(topic) ? capital(topic) : null),
    ({ topic, account }) => (isThing(topic) ? `${account} and ${topic}` : null),
    ({ topic }) => (isThing(topic) ? `A thought on ${topic}` : null),
  ],
  change: [
    ({ topic }) => (isThing(topic) ? capital(topic) : null),
    ({ topic }) => (isThing(topic) ? `A thought on ${topic}` : null),
    ({ topic }) => (isThing(topic) ? `After ${topic}` : null),
  ],
  other: [({ account }) => `A question for ${account}`, ({ account }) => `Your news at ${account}`],
  hardship: [() => 'For when things are calmer', () => 'No hurry', () => 'A few lines, for later if you like'],
}
