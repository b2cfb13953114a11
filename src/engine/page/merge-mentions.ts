import { MAX_NAMESAKES, nameKey } from '../people/person-name.ts'
import { readTitle, titlesAgree } from '../titles/index.ts'

/** A person as one page or card shows them. */
type Mention = { full_name: string; title: string; network_url?: string; email?: string }

const FORMER = /^(?:former(?:ly)?|ex|past|retired|previously)\b[\s:,-]*/i
/** Ranks that begin a title without naming a job. */
const RANKS =
  /^(?:(?:senior|junior|lead|principal|deputy|assistant|associate|executive|managing|general|global|regional|interim|acting|group|first|long-?time)\s+)+/i

/**
 * Merges mentions into people. Two mentions of a name are one person unless they contradict each other: different profiles,
 * different emails, or jobs that one person does not have at once. The first mention with a field wins; any title replaces a
 * line about an earlier job.
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

/** The index of the person with this name who is mentioned; undefined for none. */
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

/** Whether two mentions of one name can be the same person. */
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
 * Parses a line about an earlier job. "Former Chief Financial Officer" is a person who left, and `title` is the office;
 * "Former VP Sales at Oracle" and "Ex-Google engineer" describe the past of a person who may work here: `title` is null.
 * Null for any other title.
 */
export function readFormerTitle(line: string): { title: string | null } | null {
  if (!isFormerTitle(line)) return null
  const title = line.replace(FORMER, '')
  const parts = title.split(/\s*(?:,|\bof\b|[|–—(])\s*(?:the\s+)?/i)
  const namesEmployer = /\s(?:at|with|from|for)\s|@/i.test(title) || !parts.every(startsWithJobWord)
  return { title: namesEmployer ? null : title }
}

/** Whether the first word belongs to a job title and is not a company's name. */
function startsWithJobWord(text: string): boolean {
  const [first = ''] = text.replace(RANKS, '').split(/\s+/)
  const { job_level, department } = readTitle(first)
  return job_level !== 'Staff' || department !== 'Other'
}
