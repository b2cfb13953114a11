import type { Schemas } from '../../api/client.ts'
import { greetedFirstName, type MessageDraft } from '../../lib/message-draft.ts'

type Person = Pick<Schemas['Person'], 'full_name' | 'title' | 'ranking' | 'job_level'>

/** Whom to write to: somebody who is known, or else whom to look for. */
export type Recipient<P> = { person: P; role: null } | { person: null; role: string }

/**
 * The one whom the message is written for: greeted by name, addressed by title, or else of a role that the finding asks for. A person
 * whom the text does not fit is never proposed: a chief of finance who is called one of technology does not answer.
 */
export function findRecipient<P extends Person>(
  people: readonly P[],
  personas: readonly string[],
  draft: MessageDraft | null,
) {
  const closest = [...people].sort(compareByRelevance)
  const found = (person: P | undefined, role: string): Recipient<P> =>
    person ? { person, role: null } : { person: null, role }
  const given = draft && greetedFirstName(draft)
  if (given) {
    return found(
      closest.find(({ full_name }) => full_name.split(' ').includes(given)),
      given,
    )
  }
  const title = draft && titleIn(draft.body)
  if (title) {
    // A title may have a comma of its own, so the text is asked for it and not the other way round.
    const text = draft.body.toLowerCase()
    const own = (person: P) => person.title && text.includes(`as ${person.title.toLowerCase()}`)
    const close = (person: P) => person.title?.toLowerCase().startsWith(title.toLowerCase())
    return found(closest.find(own) ?? closest.find(close), `their ${title}`)
  }
  const fitting = personas.flatMap((role) => closest.find((person) => hasRole(person, role)) ?? [])
  const anybody = personas.length === 0 ? closest[0] : undefined
  return found(fitting[0] ?? anybody, personas.length > 0 ? `their ${personas.join(' or ')}` : 'somebody there')
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
/** What says how high somebody stands, and not what they do. */
const RANKS =
  /^(?:chief|officer|head|lead|vp|svp|evp|vice|president|director|manager|senior|global|group|of|the|and|for)$/
const STEM = 5

const areasOf = (title: string): string[] =>
  (title.toLowerCase().match(/\p{L}+/gu) ?? [])
    .filter((word) => !RANKS.test(word))
    .map((word) => (ABBREVIATIONS[word] ?? word).slice(0, STEM))

/** Does what the role does, and decides something. */
function hasRole({ title, job_level }: Person, role: string): boolean {
  const wanted = areasOf(role)
  const own = new Set(areasOf(title ?? ''))
  return job_level !== 'Staff' && wanted.length > 0 && wanted.every((area) => own.has(area))
}

type Ranked = Pick<Schemas['Person'], 'ranking' | 'job_level' | 'full_name'>

const LEVELS = ['C-Team', 'VP', 'Director', 'Manager', 'Staff']
const levelOf = ({ job_level }: Ranked) => (job_level ? LEVELS.indexOf(job_level) : LEVELS.length)

/** Those closest to the people you sell to first; where nothing says who these are, those who decide. */
export function compareByRelevance(a: Ranked, b: Ranked): number {
  const ranked = (a.ranking ?? Number.MAX_SAFE_INTEGER) - (b.ranking ?? Number.MAX_SAFE_INTEGER)
  return ranked || levelOf(a) - levelOf(b) || a.full_name.localeCompare(b.full_name)
}
