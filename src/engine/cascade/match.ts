import { lookupTable } from '../text/lookup-table.ts'
import { readTitle } from '../titles/index.ts'
import { titleWords } from '../titles/words.ts'
import { isFieldWithin, singularize } from './fields.ts'
import { hasRequestedName } from './names.ts'
import { type PersonTraits, parsePersonTraits, type TitledPerson } from './person.ts'
import { isAtPlace } from './places.ts'
import type { Cascade, Tier, TierRule, Topic } from './types.ts'

/**
 * The first tier that a person matches, or null. A person of unknown location is not rejected; the caller sees the null
 * in the record. Exclusions take precedence.
 */
export function matchCascade(cascade: Cascade, person: TitledPerson): Tier | null {
  if (cascade.names && !hasRequestedName(person.full_name, cascade.names)) return null
  const place = isAtRequestedPlace(cascade, person)
  if (place === false) return null
  const reading = parsePersonTraits(person)
  const title = person.title ?? ''
  const words = titleWords(title).map(singularize)
  const { job_level, department } = readTitle(title)
  const { exclude } = cascade
  const holds = (keyword: string) => reading.title.includes(` ${keyword} `)
  if (exclude.keywords.some(holds)) return null
  if (exclude.job_levels.includes(job_level) || exclude.job_levels.includes(reading.level)) return null
  if (exclude.rules?.some((rule) => fitsField(rule, reading))) return null
  if (!(cascade.credentials ?? []).every((credential) => hasCredential(person, credential))) return null
  for (const tier of cascade.tiers) {
    if (hasSameTitle(tier.titles, words)) return tier
    const fits = tier.rules.some((rule) => {
      if (rule.fields || rule.about) return fitsField(rule, reading)
      // A request by place alone requires a known location.
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

/** Whether a person matches the topic that the request describes in addition to the role; true without a topic. */
export function isPreferredPerson({ prefer, tiers: [ideal] }: Cascade, person: TitledPerson): boolean {
  if (!prefer) return true
  const { fields, mentioned, text } = parsePersonTraits(person)
  const own = ideal?.rules.flatMap((rule) => rule.fields ?? []) ?? []
  return isAbout(prefer, own, [...fields, ...mentioned], text)
}

const isAnybody = (rule: TierRule) =>
  rule.department === null && rule.keywords.length === 0 && rule.job_levels.length === 5

/** Whether a person is at a requested place: null when unknown. */
function isAtRequestedPlace(
  { places, country_codes, exclude }: Cascade,
  { country_code, location }: TitledPerson,
): boolean | null {
  const country = country_code?.toUpperCase()
  if (country && exclude.country_codes.includes(country)) return false
  if (exclude.places?.some((place) => isAtPlace(place, country, location) === true)) return false
  if (!places) return country && country_codes.length > 0 ? country_codes.includes(country) : null
  const answers = places.map((place) => isAtPlace(place, country, location))
  return answers.includes(true) ? true : answers.includes(null) ? null : false
}

function fitsField(rule: TierRule, { level, fields, mentioned, text }: PersonTraits): boolean {
  if (!rule.job_levels.includes(level)) return false
  if (rule.about && !isAbout(rule.about, rule.fields ?? [], [...fields, ...mentioned], text)) return false
  if (!rule.fields) return true
  const wanted = rule.fields
  const isIn = (id: string) => wanted.some((field) => (rule.whole ? id === field : isFieldWithin(id, field)))
  if (rule.plain && mentioned.length > 0) return false
  return fields.some(isIn) || (rule.loosely === true && !isServing(fields) && mentioned.some(isIn))
}

const isServing = (fields: readonly string[]) =>
  fields.some((id) => id === 'intern' || id === 'recruiting' || id === 'assistant')

/** A wider field than the requested one matches, unless it is the role's own: every product manager is in product. */
function isAbout(
  { fields, words }: Topic,
  own: readonly string[],
  mentioned: readonly string[],
  text: string,
): boolean {
  if (words.some((word) => text.includes(word.length > 3 ? ` ${word}` : ` ${word} `))) return true
  const isOwn = (id: string) => own.some((field) => isFieldWithin(id, field) || isFieldWithin(field, id))
  return fields.some((id) =>
    mentioned.some((other) => isFieldWithin(other, id) || (isFieldWithin(id, other) && !isOwn(other))),
  )
}

/** Degrees appear after names ("Ada Pike, PhD"), before them (Dr.), and in headlines. */
function hasCredential({ full_name, title, headline }: TitledPerson, credential: string): boolean {
  const text = ` ${titleWords(`${full_name ?? ''} , ${title ?? ''} , ${headline ?? ''}`).join(' ')} `
  if (text.includes(` ${credential} `)) return true
  if (credential !== 'phd') return false
  return / (?:doctorate|dphil) /.test(text) || (/^\s*dr\b/i.test(full_name ?? '') && !/ (?:md|dds|dvm|rn) /.test(text))
}

const LOOSE = new Set(['of', 'the', 'and', ',', 'senior', 'global', 'group'])
const SAME = lookupTable<string>({ svp: 'vp', evp: 'vp' })

const normalizedTitles = new WeakMap<readonly string[], Set<string>>()

/** The same words in any order: "Vice President, Sales" is "VP of Sales". Additional words make another job. */
function hasSameTitle(titles: readonly string[], words: readonly string[]): boolean {
  if (words.length > 12 || words.length === 0) return false
  let known = normalizedTitles.get(titles)
  if (!known) {
    known = new Set(titles.map((title) => normalizeTitle(titleWords(title).map(singularize))))
    normalizedTitles.set(titles, known)
  }
  return known.has(normalizeTitle(words))
}

function normalizeTitle(words: readonly string[]): string {
  return words
    .join(' ')
    .replaceAll('vice president', 'vp')
    .split(' ')
    .map((word) => SAME[word] ?? word)
    .filter((word) => word !== '' && !LOOSE.has(word))
    .sort()
    .join(' ')
}
