import type { Schemas } from '../../api/client.ts'
import { greetedFirstName, type MessageDraft } from '../../lib/message-draft.ts'

type Person = Pick<Schemas['Person'], 'full_name' | 'title' | 'ranking' | 'job_level'>

/** The recipient of a message: a known person, or the role to search for. */
export type Recipient<P> = { person: P; role: null } | { person: null; role: string }

/**
 * The person the message is written for: by the first name in the greeting, the title in the text, or a persona of the finding.
 * A person who does not match the text is never proposed, because a message to the wrong role gets no reply.
 */
export function findRecipient<P extends Person>(
  people: readonly P[],
  personas: readonly string[],
  draft: MessageDraft | null,
) {
  const sorted = [...people].sort(compareByRelevance)
  const found = (person: P | undefined, role: string): Recipient<P> =>
    person ? { person, role: null } : { person: null, role }
  const firstName = draft && greetedFirstName(draft)
  if (firstName) {
    return found(
      sorted.find(({ full_name }) => full_name.split(' ').includes(firstName)),
      firstName,
    )
  }
  const title = draft && titleIn(draft.body)
  if (title) {
    // Titles may contain commas, so the text is searched for each title.
    const text = draft.body.toLowerCase()
    const isExact = (person: P) => person.title && text.includes(`as ${person.title.toLowerCase()}`)
    const isPrefix = (person: P) => person.title?.toLowerCase().startsWith(title.toLowerCase())
    return found(sorted.find(isExact) ?? sorted.find(isPrefix), `their ${title}`)
  }
  const fitting = personas.flatMap((role) => sorted.find((person) => hasRole(person, role)) ?? [])
  const anyone = personas.length === 0 ? sorted[0] : undefined
  return found(fitting[0] ?? anyone, personas.length > 0 ? `their ${personas.join(' or ')}` : 'someone there')
}

/** `As Chief Technology Officer, you …`, `your job as Head of Sales.` */
const TITLE = /\b[Aa]s (\p{Lu}[\p{L}-]*(?: (?:of |for |and )?\p{Lu}[\p{L}-]*)*)(?=[,.]| at )/u
const titleIn = (body: string): string | null => TITLE.exec(body)?.[1] ?? null

const ABBREVIATIONS: Record<string, string> = {
  ceo: 'executive',
  cfo: 'financial',
  cio: 'information',
  cmo: 'marketing',
  coo: 'operating',
  cpo: 'product',
  cro: 'revenue',
  cto: 'technology',
}
/** Words for seniority rather than for an area. */
const RANKS =
  /^(?:chief|officer|head|lead|vp|svp|evp|vice|president|director|manager|senior|global|group|of|the|and|for)$/
const STEM = 5

const areasOf = (title: string): string[] =>
  (title.toLowerCase().match(/\p{L}+/gu) ?? [])
    .filter((word) => !RANKS.test(word))
    .map((word) => (ABBREVIATIONS[word] ?? word).slice(0, STEM))

/** Whether the person works in the area of the role and has decision authority. */
function hasRole({ title, job_level }: Person, role: string): boolean {
  const wanted = areasOf(role)
  const areas = new Set(areasOf(title ?? ''))
  return job_level !== 'Staff' && wanted.length > 0 && wanted.every((area) => areas.has(area))
}

type Ranked = Pick<Schemas['Person'], 'ranking' | 'job_level' | 'full_name'>

const LEVELS = ['C-Team', 'VP', 'Director', 'Manager', 'Staff']
const levelOf = ({ job_level }: Ranked) => (job_level ? LEVELS.indexOf(job_level) : LEVELS.length)

/** Sorts by the ranking of the API, then by seniority. */
export function compareByRelevance(a: Ranked, b: Ranked): number {
  const ranked = (a.ranking ?? Number.MAX_SAFE_INTEGER) - (b.ranking ?? Number.MAX_SAFE_INTEGER)
  return ranked || levelOf(a) - levelOf(b) || a.full_name.localeCompare(b.full_name)
}
