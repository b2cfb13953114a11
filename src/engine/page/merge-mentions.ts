import { MAX_NAMESAKES, nameKey } from '../people/person-name.ts'
import { readTitle, titlesAgree } from '../titles/index.ts'

/** Somebody as one place shows them. */
type Mention = { full_name: string; title: string; network_url?: string; email?: string }

const FORMER = /^(?:former(?:ly)?|ex|past|retired|previously)\b[\s:,-]*/i
/** Words that open a title without saying what of. */
const RANKS =
  /^(?:(?:senior|junior|lead|principal|deputy|assistant|associate|executive|managing|general|global|regional|interim|acting|group|first|long-?time)\s+)+/i

/**
 * The mentions of several places as people, each once. Two mentions of a name are one person unless they contradict
 * each other: other profiles, other addresses, or jobs that nobody has at once. The first mention that gives a field
 * wins; a line about an earlier job gives way to any title.
 */
export function mergeMentions<T extends Mention>(mentions: Iterable<T>): T[] {
  const people: T[] = []
  const byName = new Map<string, number[]>()
  for (const mention of mentions) {
    const key = nameKey(mention.full_name)
    const namesakes = byName.get(key) ?? []
    const at = mostAlike(mention, namesakes, people)
    if (at === undefined && namesakes.length < MAX_NAMESAKES) {
      byName.set(key, [...namesakes, people.length])
      people.push(mention)
    } else if (at !== undefined) people[at] = joined(people[at] as T, mention)
  }
  return people
}

/** Which of the people with this name is mentioned; undefined for none of them. */
function mostAlike<T extends Mention>(mention: T, namesakes: readonly number[], people: readonly T[]) {
  const possible = namesakes.filter((at) => isSamePerson(people[at] as T, mention))
  const shares = (at: number, field: 'network_url' | 'email' | 'title') =>
    mention[field] !== undefined && people[at]?.[field] === mention[field]
  return (
    possible.find((at) => shares(at, 'network_url')) ??
    possible.find((at) => shares(at, 'email')) ??
    possible.find((at) => shares(at, 'title')) ??
    possible[0]
  )
}

function joined<T extends Mention>(known: T, mention: T): T {
  const title = isFormerTitle(known.title) ? mention.title : known.title
  return { ...mention, ...known, title }
}

/** Whether two mentions of one name can be of one person. */
export function isSamePerson(one: Mention, other: Mention): boolean {
  if (one.network_url && other.network_url) return one.network_url.toLowerCase() === other.network_url.toLowerCase()
  if (one.email && other.email) return one.email === other.email
  if (isFormerTitle(one.title) || isFormerTitle(other.title)) return true
  return titlesAgree(one.title, other.title)
}

function isFormerTitle(title: string): boolean {
  return FORMER.test(title)
}

/**
 * What a line about an earlier job says. "Former Chief Financial Officer" is somebody who left, and `title` the office;
 * "Former VP Sales at Oracle" and "Ex-Google engineer" are the past of somebody who may well be here: `title` is null.
 * Null for any other title.
 */
export function readFormerTitle(line: string): { title: string | null } | null {
  if (!isFormerTitle(line)) return null
  const title = line.replace(FORMER, '')
  const parts = title.split(/\s*(?:,|\bof\b|[|–—(])\s*(?:the\s+)?/i)
  const namesEmployer = /\s(?:at|with|from|for)\s|@/i.test(title) || !parts.every(startsWithJobWord)
  return { title: namesEmployer ? null : title }
}

/** Whether the first word is one of a job, not the name of a firm. */
function startsWithJobWord(text: string): boolean {
  const [first = ''] = text.replace(RANKS, '').split(/\s+/)
  const { job_level, department } = readTitle(first)
  return job_level !== 'Staff' || department !== 'Other'
}
