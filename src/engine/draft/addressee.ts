// Whom a message is for: somebody whom the news itself names, somebody found at the account, or one of the roles that the
// knowledge base calls its buyers.
import { createPersonaRanking, findPersonas } from '../cascade/personas.ts'
import { TITLE_WORDS } from '../claim/vocabulary.ts'
import { splitFullName } from '../people/person-name.ts'
import { findBuiltinSignal } from '../signals/index.ts'
import { foldText } from '../text/fold.ts'
import { type Department, readTitle } from '../titles/index.ts'
import { JOB_NOUNS } from '../titles/job-nouns.ts'
import type { EventSummary } from './event.ts'

/** Without a name only the role is addressed. */
export type RecipientCandidate = { full_name?: string | null; title?: string | null }

export type Addressee = {
  full_name: string | null
  /** Whom to greet; null when nobody is known. */
  given: string | null
  /** Their own title, as it can stand in a sentence; null when only a role is wanted. */
  title: string | null
  department: Department | null
  /** The news is about this person's own new position. */
  is_new: boolean
}

/** How far from an event somebody with a title is: those closest to it come first, all others after them. */
function distanceFrom(signalId: string): (title: string | null | undefined) => number {
  const closest: readonly string[] = findBuiltinSignal(signalId)?.draft.departments ?? []
  return (title) => {
    const at = title ? closest.indexOf(readTitle(title).department) : -1
    return at < 0 ? closest.length : at
  }
}

/** By the array of sections: they are read once for however many drafts. */
const known = new WeakMap<readonly { type: string; content_md: string }[], readonly string[]>()

/** The roles that the knowledge base names, those closest to the event first. */
export function rankPersonas(sections: readonly { type: string; content_md: string }[], signalId: string): string[] {
  const distance = distanceFrom(signalId)
  const personas = known.get(sections) ?? findPersonas(sections)
  known.set(sections, personas)
  return personas.toSorted((a, b) => distance(a) - distance(b))
}

/** Chooses whom the message is for. `people` are in order of preference. */
export function chooseAddressee(
  { named }: Pick<EventSummary, 'named'>,
  personas: readonly string[],
  signalId: string,
  people: readonly RecipientCandidate[],
): Addressee {
  // A new CFO is the one to write to when CFOs are who buys.
  if (named && createPersonaRanking(personas)(named) === 1) return { ...addressed(named), is_new: true }
  const distance = distanceFrom(signalId)
  const [person] = people.toSorted((a, b) => distance(a.title) - distance(b.title))
  if (person) return { ...addressed(person), is_new: false }
  const [role] = personas
  return {
    full_name: null,
    given: null,
    title: null,
    department: role ? readTitle(role).department : null,
    is_new: false,
  }
}

function addressed({ full_name = null, title }: RecipientCandidate): Omit<Addressee, 'is_new'> {
  const given = full_name && splitFullName(full_name).first_name
  return {
    full_name,
    // An initial is no name to greet.
    given: given && given.replace(/\./g, '').length > 1 ? given : null,
    title: title ? speakable(title) : null,
    department: title ? readTitle(title).department : null,
  }
}

const MAX_TITLE_CHARS = 60
/** What stands beside a title: a place, a company, another language. */
const BESIDE = /\s*[;|(–—].*$|\s-\s.*$|\s+at\s+(?=\p{Lu}).*$/u

/** A title that can stand behind "as", whole: "Co-founder and CEO", "Vice President, Commercial". */
function speakable(title: string): string | null {
  const [first = '', second = ''] = title.replace(BESIDE, '').split(/\s*,\s*/)
  const own = [first, ...(isPartOfTitle(second) ? [second] : [])]
    .join(', ')
    .replace(/\s*\/\s*/g, ' and ')
    .trim()
  return own.length >= 2 && own.length <= MAX_TITLE_CHARS && /^\p{L}/u.test(own) ? own : null
}

/** "Commercial" is; the name of a company or of a town behind a comma is not. */
const isPartOfTitle = (text: string) =>
  text !== '' && text.split(/\s+/).every((word) => TITLE_WORDS.has(word.toLowerCase()) || JOB_NOUNS.has(foldText(word)))
