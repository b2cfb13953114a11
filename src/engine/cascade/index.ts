import { JOB_LEVELS } from '../titles/index.ts'
import { parseChoice } from './choices.ts'
import { extractCompanyTraits } from './company.ts'
import { addExclusion, splitExclusions } from './exclusions.ts'
import { singularize, tokenizeTitle } from './fields.ts'
import { translateGermanRequest } from './german.ts'
import { extractNames } from './names.ts'
import { extractPlaces } from './places.ts'
import type { RequestedRole } from './roles.ts'
import { buildTiers, createOpenTier } from './tiers.ts'
import type { Cascade, RequestedPlace } from './types.ts'
import { FILLERS, isJobWord } from './vocabulary.ts'

export { isPreferredPerson, matchCascade } from './match.ts'
export type { Cascade } from './types.ts'

const MAX_QUERY_CHARS = 1_000
/** Words that introduce a second or third choice instead of an equal one. */
const SECOND_CHOICE =
  /(?:,|;|\.)?\s*\b(?:otherwise|failing that|if (?:not|none|that fails|there is none|there are none|unavailable|missing)(?: (?:available|found|there|possible))?,?|fallback|backup|then|else|or else|as a (?:fallback|backup)|fall(?:ing)? back (?:to|on)|second choice|alternatively|next best)\b:?/
const OR_ABOVE = /\b(?:or|and) (?:above|higher|up|upwards?|more senior)\b|(?<=[a-z])\+(?=\s|$)/i
/** Requested degrees and certificates. */
const CREDENTIAL =
  /(?:\b(?:with|has|have|having|holds?|holding|who (?:has|have|holds?))\s+(?:an?\s+|the\s+)?(?:degree of\s+)?)?(?:\b(ph\.? ?d\.?s?|doctorates?|mbas?|pmp)\b|(?<=\b(?:with|has|have|having|holds?|holding)\s+(?:an?\s+|the\s+)?)(cpa|cfa|cissp|cisa|cism|md|rn|jd|fsa|acca|msc|llm)\b)(?:'s)?(?: (?:degree|certification|certificate|license|title|holders?|in [a-z]+))?/gi
/** A sales pitch: the request means the people responsible for what is offered. */
const PITCH =
  /\b(?:i|we)\b[\w '’]{0,25}? to (?:sell|pitch|offer|show|present|demo)\b(?: (?:to|with|about|them|our|a|an|the|some|my))*(?= )/gi
/** The opening of a request before the role: "I want to reach the CFO". */
const REQUEST_OPENING =
  /^\s*(?:(?:hi|hello|hey|please)[, ]+)?(?:i|we)\b(?:['’]?d| would| am| are)? (?:want|need|like|love|try|trying|hope|have|wish)(?: to)?\b(?: (?:reach(?: out to)?|contact|find|get (?:hold of|to)|meet|speak (?:to|with)|talk (?:to|with)|email|call))?\b/i
const EVERYONE =
  /\b(?:everyone|everybody|all (?:people|employees|staff|contacts)|the (?:whole|entire) (?:team|staff|company))\b/i
/** Contact details that are requested, which say nothing about the person. */
const DETAILS =
  /\b(?:e-?mail|phone|mobile|contact|profile|linkedin)s?(?: (?:number|address|details|profile|url|info|data))?s? (?:of|for)\b/gi
const COMPANY_NOUNS =
  /\b(?:of|at|in|for|inside|within) (?:the|this|that|their|your|our|its|a|an) (?:company|university|bank|hospital|school|airline|hotel|agency|utility|firm|business|organi[sz]ation|insurer|group|college|manufacturer|retailer)\b/gi

/**
 * Compiles a plain-English request into tiers: the requested role, adjacent roles one step away, and a fallback. Second
 * choices in the request precede those that the compiler adds. A request without people has no tiers.
 */
export function compileCascade(query: string): Cascade {
  const original = translateGermanRequest(query.slice(0, MAX_QUERY_CHARS))
    .replace(/[()[\]"“”]/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/(?<=\b(?:i|we|you|they|who|there|that|what|where))['’](?:m|s|re|d|ll|ve)\b/gi, ' ')
    .replace(PITCH, ' responsible for ')
    .replace(REQUEST_OPENING, ' ')
    .replace(/\bppl\b/gi, 'people')
  const credentials: string[] = []
  const plain = original.replace(CREDENTIAL, (_, some?: string, other?: string) => {
    credentials.push(
      (some ?? other ?? '')
        .toLowerCase()
        .replace(/[. ]|s$/g, '')
        .replace('doctorate', 'phd'),
    )
    return ' '
  })
  const { names, rest: nameless } = extractNames(plain)
  const isUpward = OR_ABOVE.test(nameless)
  const { wanted, unwanted } = splitExclusions(nameless.replace(OR_ABOVE, ' '))
  const company = extractCompanyTraits(withoutEmployer(wanted.replace(COMPANY_NOUNS, ' ').replace(DETAILS, ' ')))
  const exclude: Cascade['exclude'] = { keywords: [], job_levels: [], country_codes: [] }
  for (const phrase of unwanted) addExclusion(phrase, exclude)
  const places: RequestedPlace[] = []
  const choices = company.rest.split(SECOND_CHOICE).map((choice) => {
    const taken = extractPlaces(choice)
    for (const place of taken.places) if (!places.some(({ name }) => name === place.name)) places.push(place)
    return parseChoice(taken.rest)
  })
  const named = choices.filter(({ roles }) => roles.length > 0)
  const later = new Set(named.slice(1).flatMap(({ roles }) => roles.flatMap(({ fields }) => fields)))
  const ranked = named.map(({ roles }, i) =>
    roles
      .map((role) => (i === 0 ? withoutLaterFields(role, later) : role))
      .map((role) => (isUpward ? withHigherLevels(role) : role)),
  )
  const { adjacent = [], prefer } = named[0] ?? {}
  const tiers = buildTiers(ranked, adjacent, exclude.job_levels)
  const isFiltered =
    names.length + places.length + credentials.length > 0 || hasExclusions(exclude) || EVERYONE.test(nameless)
  if (tiers.length === 0 && isFiltered) tiers.push(createOpenTier(1))
  else if (names.length > 0) tiers.splice(1, 2, createOpenTier(2))
  return {
    tiers,
    geographies: places.map(({ name }) => name),
    country_codes: [...new Set(places.flatMap(({ spots }) => spots.map(({ country }) => country)))],
    exclude,
    company: company.traits,
    ...(places.length > 0 ? { places } : {}),
    ...(names.length > 0 ? { names } : {}),
    ...(credentials.length > 0 ? { credentials } : {}),
    ...(prefer && prefer.fields.length > 0 ? { prefer } : {}),
  }
}

function hasExclusions({ keywords, job_levels, country_codes, rules = [], places = [] }: Cascade['exclude']): boolean {
  return keywords.length + job_levels.length + country_codes.length + rules.length + places.length > 0
}

/** "At Acme Corp" is removed, because accounts are selected elsewhere. "At VP level" stays. */
function withoutEmployer(text: string): string {
  return text.replace(
    /\bat ((?:\p{Lu}[\p{L}\p{N}&.'-]*)(?: \p{Lu}[\p{L}\p{N}&.'-]*)*|\p{L}+)/gu,
    (all, name: string) =>
      tokenizeTitle(name).some((word) => FILLERS.has(word) || isJobWord(singularize(word))) ? all : ' ',
  )
}

/** "Someone who owns the budget, otherwise the CEO": a description excludes the roles of later choices. */
function withoutLaterFields(role: RequestedRole, later: ReadonlySet<string>): RequestedRole {
  return role.isVague ? { ...role, fields: role.fields.filter((id) => !later.has(id)) } : role
}

/** "Managers or above": every level from the lowest requested one upwards. */
function withHigherLevels(role: RequestedRole): RequestedRole {
  const lowest = Math.max(...role.levels.map((level) => JOB_LEVELS.indexOf(level)))
  return { ...role, levels: JOB_LEVELS.slice(0, lowest + 1) }
}
