// Chooses the addressee of a message: a person named in the news, a person found at the account, or one of the buyer personas
// in the knowledge base.
import { createPersonaRanking, findPersonas } from '../cascade/personas.ts'
import { TITLE_WORDS } from '../claim/vocabulary.ts'
import { splitFullName } from '../people/person-name.ts'
import { departmentDistance } from '../signals/index.ts'
import { foldText } from '../text/fold.ts'
import { type Department, readTitle } from '../titles/index.ts'
import { JOB_NOUNS } from '../titles/job-nouns.ts'
import type { EventSummary } from './event.ts'

/** Without a name only the role is addressed. */
export type RecipientCandidate = { full_name?: string | null; title?: string | null }

export type Addressee = {
  full_name: string | null
  /** The given name for the greeting; null when it is unknown. */
  given: string | null
  /** Their title in a form that fits into a sentence; null when only a role is known. */
  title: string | null
  department: Department | null
  /** The news is about this person's own new position. */
  is_new: boolean
}

/** Cache by the array of sections, which is shared by many drafts. */
const known = new WeakMap<readonly { type: string; content_md: string }[], readonly string[]>()

/** The personas in the knowledge base, closest to the event first. */
export function rankPersonas(sections: readonly { type: string; content_md: string }[], signalId: string): string[] {
  const distance = departmentDistance(signalId)
  const personas = known.get(sections) ?? findPersonas(sections)
  known.set(sections, personas)
  return personas.toSorted((a, b) => distance(a) - distance(b))
}

/** `people` are in order of preference. */
export function chooseAddressee(
  { named }: Pick<EventSummary, 'named'>,
  personas: readonly string[],
  signalId: string,
  people: readonly RecipientCandidate[],
): Addressee {
  // A newly appointed person is the addressee when their role is a buyer persona.
  if (named && createPersonaRanking(personas)(named) === 1) return { ...addressed(named), is_new: true }
  const distance = departmentDistance(signalId)
  // News of a new CRO concerns sales and the management, not the CFO.
  const area = named ? readTitle(named.title).department : 'Other'
  const isConcerned = (title: string | null | undefined) =>
    area === 'Other' || (title ? [area, 'Executive'].includes(readTitle(title).department) : false)
  const [person] = people
    .filter(({ title }) => isConcerned(title))
    .toSorted((a, b) => distance(a.title) - distance(b.title))
  if (person) return { ...addressed(person), is_new: false }
  const role = personas.find(isConcerned) ?? personas[0]
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
    // An initial is no name for a greeting.
    given: given && given.replace(/\./g, '').length > 1 ? given : null,
    title: title ? speakable(title) : null,
    department: title ? readTitle(title).department : null,
  }
}

const MAX_TITLE_CHARS = 60
/** Additions to a title: a place, a company, another language. */
const ADDITION = /\s*[;|(–—].*$|\s-\s.*$|\s+at\s+(?=\p{Lu}).*$/u

/** A title that fits after "as": "Co-founder and CEO", "Vice President, Commercial". */
function speakable(title: string): string | null {
  const [first = '', second = ''] = title.replace(ADDITION, '').split(/\s*,\s*/)
  const own = [first, ...(isPartOfTitle(second) ? [second] : [])]
    .join(', ')
    .replace(/\s*\/\s*/g, ' and ')
    .trim()
  return own.length >= 2 && own.length <= MAX_TITLE_CHARS && /^\p{L}/u.test(own) ? own : null
}

/** True for "Commercial"; false for a company or a town after a comma. */
const isPartOfTitle = (text: string) =>
  text !== '' && text.split(/\s+/).every((word) => TITLE_WORDS.has(word.toLowerCase()) || JOB_NOUNS.has(foldText(word)))
