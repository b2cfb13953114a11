import { lookupTable } from '../text/lookup-table.ts'
import { readTitle } from '../titles/index.ts'
import { titleWords } from '../titles/words.ts'
import { isWithin, singular } from './fields.ts'
import { bearsName } from './names.ts'
import { type PersonReading, readPerson, type TitledPerson } from './person.ts'
import { isAt } from './places.ts'
import type { Cascade, Rule, Tier, Topic } from './types.ts'

/**
 * The first tier a person belongs to, or null. A person whose place is not known is not refused for it: the caller
 * sees the null in the record. Exclusions win over everything.
 */
export function matchCascade(cascade: Cascade, person: TitledPerson): Tier | null {
  if (cascade.names && !bearsName(person.full_name, cascade.names)) return null
  const place = placeOf(cascade, person)
  if (place === false) return null
  const reading = readPerson(person)
  const title = person.title ?? ''
  const words = titleWords(title).map(singular)
  const { job_level, department } = readTitle(title)
  const { exclude } = cascade
  const holds = (keyword: string) => reading.title.includes(` ${keyword} `)
  if (exclude.keywords.some(holds)) return null
  if (exclude.job_levels.includes(job_level) || exclude.job_levels.includes(reading.level)) return null
  if (exclude.rules?.some((rule) => fitsField(rule, reading))) return null
  if (!(cascade.credentials ?? []).every((credential) => shows(person, credential))) return null
  for (const tier of cascade.tiers) {
    if (isAmong(tier.titles, words)) return tier
    const fits = tier.rules.some((rule) => {
      if (rule.fields || rule.about) return fitsField(rule, reading)
      // whoever is asked for by place alone has to be known to be there
      if (isAnybody(rule)) return place !== null || !cascade.places || cascade.names !== undefined
      return (
        (rule.job_levels.includes(job_level) || (title !== '' && rule.job_levels.includes(reading.level))) &&
        (rule.department === null || rule.department === department) &&
        (rule.keywords.length === 0 || rule.keywords.some(holds))
      )
    })
    if (fits) return tier
  }
  return null
}

/** Whether somebody has to do with what the request describes besides the role; true where it describes nothing. */
export function isPreferred({ prefer, tiers: [ideal] }: Cascade, person: TitledPerson): boolean {
  if (!prefer) return true
  const { fields, mentioned, text } = readPerson(person)
  const own = ideal?.rules.flatMap((rule) => rule.fields ?? []) ?? []
  return isAbout(prefer, own, [...fields, ...mentioned], text)
}

const isAnybody = (rule: Rule) => rule.department === null && rule.keywords.length === 0 && rule.job_levels.length === 5

/** Whether somebody is where the request asks: null when nobody knows. */
function placeOf(
  { places, country_codes, exclude }: Cascade,
  { country_code, location }: TitledPerson,
): boolean | null {
  const country = country_code?.toUpperCase()
  if (country && exclude.country_codes.includes(country)) return false
  if (exclude.places?.some((place) => isAt(place, country, location) === true)) return false
  if (!places) return country && country_codes.length > 0 ? country_codes.includes(country) : null
  const answers = places.map((place) => isAt(place, country, location))
  return answers.includes(true) ? true : answers.includes(null) ? null : false
}

function fitsField(rule: Rule, { level, fields, mentioned, text }: PersonReading): boolean {
  if (!rule.job_levels.includes(level)) return false
  if (rule.about && !isAbout(rule.about, rule.fields ?? [], [...fields, ...mentioned], text)) return false
  if (!rule.fields) return true
  const wanted = rule.fields
  const isIn = (id: string) => wanted.some((field) => (rule.whole ? id === field : isWithin(id, field)))
  if (rule.plain && mentioned.length > 0) return false
  return fields.some(isIn) || (rule.loosely === true && !isServing(fields) && mentioned.some(isIn))
}

const isServing = (fields: readonly string[]) =>
  fields.some((id) => id === 'intern' || id === 'recruiting' || id === 'assistant')

/** A wider field than the one asked for will do, unless it is the role's own: every product manager is in product. */
function isAbout({ fields, words }: Topic, own: readonly string[], told: readonly string[], text: string): boolean {
  if (words.some((word) => text.includes(word.length > 3 ? ` ${word}` : ` ${word} `))) return true
  const isOwn = (id: string) => own.some((field) => isWithin(id, field) || isWithin(field, id))
  return fields.some((id) => told.some((other) => isWithin(other, id) || (isWithin(id, other) && !isOwn(other))))
}

/** Degrees stand after names ("Ada Pike, PhD"), before them (Dr.), and in headlines. */
function shows({ full_name, title, headline }: TitledPerson, credential: string): boolean {
  const text = ` ${titleWords(`${full_name ?? ''} , ${title ?? ''} , ${headline ?? ''}`).join(' ')} `
  if (text.includes(` ${credential} `)) return true
  if (credential !== 'phd') return false
  return / (?:doctorate|dphil) /.test(text) || (/^\s*dr\b/i.test(full_name ?? '') && !/ (?:md|dds|dvm|rn) /.test(text))
}

const LOOSE = new Set(['of', 'the', 'and', ',', 'senior', 'global', 'group'])
const SAME = lookupTable<string>({ svp: 'vp', evp: 'vp' })

const normals = new WeakMap<readonly string[], Set<string>>()

/** The same words whatever their order: "Vice President, Sales" is "VP of Sales". Further words make another job. */
function isAmong(titles: readonly string[], words: readonly string[]): boolean {
  if (words.length > 12 || words.length === 0) return false
  let known = normals.get(titles)
  if (!known) {
    known = new Set(titles.map((title) => normal(titleWords(title).map(singular))))
    normals.set(titles, known)
  }
  return known.has(normal(words))
}

function normal(words: readonly string[]): string {
  return words
    .join(' ')
    .replaceAll('vice president', 'vp')
    .split(' ')
    .map((word) => SAME[word] ?? word)
    .filter((word) => word !== '' && !LOOSE.has(word))
    .sort()
    .join(' ')
}
