import { JOB_LEVELS } from '../titles/index.ts'
import { EXECUTIVE_FIELDS, singularize, tokenizeTitle } from './fields.ts'
import { extractPlaces } from './places.ts'
import { ALL_LEVELS, parseRole } from './roles.ts'
import type { Cascade, TierRule } from './types.ts'

const EXCLUDING =
  /\b(?:but not|(?<=\b(?:anyone|everyone|anybody|everybody|all|people) )but|but no|no one|nobody|none|no|not|without|except(?: for)?|excluding|excludes?|avoid|skip|ignore|never|don't want|do not want|other than|apart from|minus|leave out|outside(?: of)?|rather than|instead of)\b/
/** Synonyms for kinds of people. */
const KINDS: [RegExp, string[]][] = [
  [
    /\b(?:freelancers?|contractors?|freelance|self[- ]employed|externals?)\b/,
    ['freelance', 'freelancer', 'contractor', 'contract', 'self employed', 'independent', 'external'],
  ],
  [/\bconsultants?\b/, ['consultant', 'consulting', 'freelance consultant']],
  [/\b(?:ceos?|chief executives?(?: officers?)?)\b/, ['ceo', 'chief executive', 'chief executive officer']],
  [/\bjuniors?\b/, ['junior', 'graduate', 'trainee', 'entry level']],
  [/\b(?:assistants?|assistent(?:in|en|innen)?)\b/, ['assistant', 'secretary', 'assistent', 'assistentin']],
  [
    /\b(?:interns?|students?|trainees?|apprentices?|working students?)\b/,
    ['intern', 'trainee', 'apprentice', 'student', 'internship'],
  ],
]
const MAX_EXCLUSIONS = 10

/** Splits a request into what it wants and the phrases that it excludes. */
export function splitExclusions(query: string): { wanted: string; unwanted: string[] } {
  const unwanted: string[] = []
  let wanted = ''
  let rest = query
  for (let i = 0; i < MAX_EXCLUSIONS; i++) {
    const match = EXCLUDING.exec(rest.toLowerCase())
    if (!match) break
    // "if not available" and "not only" exclude nothing.
    if (
      /\b(?:if|there (?:is|are)|is|or) $/.test(rest.slice(0, match.index).toLowerCase()) ||
      /^not (?:only|just|necessarily)\b/.test(rest.slice(match.index).toLowerCase())
    ) {
      wanted += rest.slice(0, match.index + match[0].length)
      rest = rest.slice(match.index + match[0].length)
      continue
    }
    wanted += rest.slice(0, match.index)
    const tail = rest.slice(match.index + match[0].length)
    const stop = tail.search(/[;.]|, (?!(?:and|or|no|nor)\b)| but | at | who | with /)
    const end = stop < 0 ? tail.length : stop
    unwanted.push(`${match[0].startsWith('outside') ? 'in ' : ''}${tail.slice(0, end)}`)
    rest = tail.slice(end)
  }
  return { wanted: wanted + rest, unwanted }
}

/** Adds an excluded phrase to the exclusions of the cascade. */
export function addExclusion(phrase: string, exclude: Cascade['exclude']): void {
  const { places, rest } = extractPlaces(phrase)
  for (const place of places) {
    const isWhole = place.spots.length > 0 && place.spots.every(({ area }) => area === null)
    if (isWhole) exclude.country_codes.push(...place.spots.map(({ country }) => country))
    else exclude.places = [...(exclude.places ?? []), place]
  }
  for (const part of rest.split(/\s*(?:[,/?!]|\bor\b|\band\b|\bnor\b|\bno\b)\s*/i)) {
    const words = tokenizeTitle(part)
      .filter(
        (word) =>
          word !== ',' &&
          !/^(?:any|the|a|an|in|from|people|please|of|anyone|just|level|below|junior|those|staff)$/.test(word),
      )
      .map(singularize)
    const kinds = KINDS.filter(([pattern]) => pattern.test(part.toLowerCase()))
    exclude.keywords.push(...kinds.flatMap(([, names]) => names))
    if (kinds.some(([pattern]) => pattern.test('intern')))
      addRule(exclude, { job_levels: ALL_LEVELS, department: null, keywords: [], fields: ['intern'] })
    if (words.length === 0 || (kinds.length > 0 && words.length === 1)) continue
    const level = JOB_LEVELS.find(
      (known) =>
        singularize(known.toLowerCase()) === words.join(' ') ||
        (known === 'Staff' && words.join(' ') === 'individual contributor'),
    )
    const role = parseRole(part)
    if (level) exclude.job_levels.push(level)
    else if (role && role.fields.length === 0 && role.words.length === 0) exclude.job_levels.push(...role.levels)
    else if (role && role.fields.length > 0 && !role.fields.some((id) => EXECUTIVE_FIELDS.includes(id))) {
      const levels = role.kind === 'rank' ? role.levels : ALL_LEVELS
      addRule(exclude, { job_levels: levels, department: null, keywords: [], fields: role.fields })
      if (role.kind === 'doers') exclude.keywords.push(words.join(' '))
    } else exclude.keywords.push(words.join(' '))
  }
}

function addRule(exclude: Cascade['exclude'], rule: TierRule): void {
  exclude.rules = [...(exclude.rules ?? []), rule]
}
