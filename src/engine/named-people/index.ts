// Finds the people that a text names with their job at a company: appointed, quoted or leaving.

import { compileFrame, findFrame } from '../claim/frames.ts'
import { describeEvent } from '../claim/index.ts'
import { parseStatement } from '../claim/statement.ts'
import { WORD_GROUPS } from '../claim/word-groups.ts'
import { type CompanyIdentity, type CompanyMention, findCompanyMentions } from '../companies/company-names.ts'
import { findBasedIn } from '../people/based-in.ts'
import { commonCountry, parseLocation } from '../places/index.ts'
import { splitSentences } from '../text/sentences.ts'
import { cutText, toStorable } from '../text/storable.ts'
import { splitWords, tokenize } from '../text/tokens.ts'

export type NamedText = {
  title: string | null
  text: string
  /** The company is the author: "the Company" refers to it, as do sentences without another company. */
  own: boolean
}

export type NamedPeople = {
  people: { full_name: string; title: string; location?: string; country_code?: string }[]
  /** Names of people who are leaving according to the text. */
  leaving: string[]
}

const MAX_CHARS = 60_000
const MAX_TITLE_CHARS = 1_000
const MAX_SENTENCE_CHARS = 600
/** Maximum number of sentences about jobs; a page with more is a list of fragments. */
const MAX_SENTENCES = 600

/** A person in office with the employer next to the job: "Ada Pike, CFO of Acme", "Acme's CFO, Ada Pike". */
const IN_OFFICE = [
  "{person} , {self's}? {position} of|at|for|with {self}",
  "{person} , {self's} {position} {over}",
  "{ours} {self's} {position} , {person}",
].map((words) => compileFrame({ subject: 'anyone', words }, WORD_GROUPS))

/** The wording of filings: "appointed Ada Pike, age 45, to serve as Chief Financial Officer". */
const APPOINTED = compileFrame(
  { subject: 'company', words: '<appoint> {person} , … , to? serve? as|to the? {position} {over}' },
  WORD_GROUPS,
)

/** With such a word it is not certain that the person still has the job. */
const OVER =
  /\b(?:former(?:ly)?|ex|outgoing|previous(?:ly)?|late|retir\w{2,4}|resign\w{0,3}|depart\w{0,3}|leaves|left|leaving|step(?:s|ped|ping)? down|succeed\w{0,3}|replac\w{1,3})\b/i

/**
 * Finds who works at the company in which job, in sentences that contain one of the words. Omits people who are not
 * certain to be in office now.
 */
export function findNamedPeople(
  { title, text, own }: NamedText,
  company: CompanyIdentity,
  words: ReadonlySet<string>,
): NamedPeople {
  const named: NamedPeople = { people: [], leaving: [] }
  for (const { sentence, mentions } of companySentences({ title, text, own }, company, (word) => words.has(word))) {
    addPeopleInSentence(sentence, company.name, mentions, named)
  }
  if (named.people.length > 0) addLocations(named, toStorable(cutText(text, MAX_CHARS)))
  return named
}

/** Adds locations that the text gives, by full name or by a surname that only one of the people has. */
function addLocations({ people }: NamedPeople, text: string): void {
  const byName = Map.groupBy(people, ({ full_name }) => full_name)
  const bySurname = Map.groupBy(people, ({ full_name }) => full_name.split(' ').at(-1) as string)
  for (const { who, place } of findBasedIn(text)) {
    const words = who?.split(' ') ?? []
    const names = words.map((_, from) => words.slice(from).join(' '))
    const whole = names.flatMap((name) => byName.get(name) ?? [])
    const [person, ...others] = whole.length > 0 || words.length > 1 ? whole : (bySurname.get(who ?? '') ?? [])
    if (!person || others.length > 0 || person.location !== undefined) continue
    const spots = parseLocation(place)
    if (spots.length === 0) continue
    person.location = place
    const country = commonCountry(spots)
    if (country) person.country_code = country
  }
}

/**
 * The sentences about the company, or all in its own texts, that contain a wanted word, with the ranges of its name.
 */
export function* companySentences(
  { title, text, own }: NamedText,
  company: CompanyIdentity,
  isWanted: (word: string) => boolean,
): Generator<{ sentence: string; mentions: TextRange[] }> {
  const head = title ? `${toStorable(cutText(title, MAX_TITLE_CHARS))}\n\n` : ''
  const full = head + toStorable(cutText(text, MAX_CHARS))
  const tokens = tokenize(full)
  const { mentions, known } = findCompanyMentions(tokens, full.toLowerCase(), company, head.length)
  if (!known && !own) return
  let next = 0
  let read = 0
  for (const { from, to, section } of splitSentences(tokens, head.length)) {
    while (next < mentions.length && (mentions[next] as CompanyMention).from < from) next++
    if (section !== 'title' && section !== 'body') continue
    const start = tokens.start[from] as number
    const sentence = full.slice(start, Math.min(tokens.end[to - 1] as number, start + MAX_SENTENCE_CHARS))
    if (!splitWords(sentence).some(isWanted)) continue
    const here: TextRange[] = []
    for (let m = next; m < mentions.length && (mentions[m] as CompanyMention).from < to; m++) {
      const mention = mentions[m] as CompanyMention
      if (mention.to > to) continue
      here.push({
        start: (tokens.start[mention.from] as number) - start,
        end: (tokens.end[mention.to - 1] as number) - start,
      })
    }
    if (own) here.push(...selfReferences(sentence, here))
    if (!own && here.length === 0) continue
    if (++read > MAX_SENTENCES) break
    yield { sentence: sentence.replaceAll('\n', ' '), mentions: here }
  }
}

export type TextRange = { start: number; end: number }

/** How a company and its board refer to themselves in filings. */
function selfReferences(sentence: string, mentions: readonly TextRange[]): TextRange[] {
  return [...sentence.matchAll(/\b[Tt]he (?:Company|Board(?: of Directors)?)\b/g)].map(({ 0: said, index }) => {
    const end = index + said.length
    // "the Board of Directors of Acme" is one reference.
    const whose = mentions.find(({ start }) => sentence.slice(end, start) === ' of ')
    return { start: index, end: whose?.end ?? end }
  })
}

/** Adds the people that a sentence names in office at the company, and those who leave. */
export function addPeopleInSentence(
  sentence: string,
  name: string,
  mentions: TextRange[],
  { people, leaving }: NamedPeople,
): void {
  const add = (full_name: string, position: string) => {
    if (!people.some((known) => known.full_name === full_name)) people.push({ full_name, title: asTitle(position) })
  }
  const { claim, details } = describeEvent({ signal: 'leadership_change', company: name, sentence, mentions })
  const [person] = details.people
  if (person && details.position && claim.startsWith(`${name} loses `)) leaving.push(person.text)
  else if (person && details.position && claim.startsWith(`${name} names ${person.text}`)) {
    add(person.text, details.position.text)
  }
  const statement = parseStatement(sentence, mentions)
  for (const frame of OVER.test(sentence) ? [APPOINTED] : [APPOINTED, ...IN_OFFICE]) {
    const match = findFrame(statement, frame)
    const [who, job] = [match?.slots.person?.phrase, match?.slots.position?.phrase]
    if (who && job && match?.modality === 'done') add(who, job)
  }
}

/** Capitalises a job that the sentence has in lower case: "chief financial officer". */
function asTitle(position: string): string {
  if (/\p{Lu}/u.test(position)) return position
  return position.replaceAll(/\p{L}+/gu, (word) =>
    /^(?:of|and|for|the)$/.test(word) ? word : word.charAt(0).toUpperCase() + word.slice(1),
  )
}
