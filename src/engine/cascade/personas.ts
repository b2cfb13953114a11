import { cutText } from '../text/storable.ts'
import { LEADING_LEVELS, readTitle } from '../titles/index.ts'
import { type Cascade, compileCascade, matchCascade } from './index.ts'

type Section = { type: string; content_md: string }

const MAX_CHARS = 50_000
const MAX_PERSONAS = 10
const WORDS =
  'buyers?|buyer personas?|personas?|titles?|roles?|decision[- ]makers?|contacts?|champions?|target (?:roles|titles|personas)'
const LINE = new RegExp(`^(?:${WORDS})\\s?:\\s?(.+)$`, 'i')
const HEADING = new RegExp(`^(?:(?:our|the|key|target|ideal)\\s)?(?:${WORDS})\\s?:?$`, 'i')

/**
 * The buyer roles of a workspace's ICP: on a line ("Personas: VP Sales, RevOps lead"), or in a list below a heading.
 */
export function findPersonas(sections: readonly Section[]): string[] {
  const found: string[] = []
  const add = (role: string) => {
    const name = role.trim().replace(/[.;,]+$/, '')
    if (name.length > 1 && name.length < 60 && !found.includes(name)) found.push(name)
  }
  for (const { content_md } of sections.filter(({ type }) => type === 'icp' || type === 'persona')) {
    let isListed = false
    for (const raw of cutText(content_md, MAX_CHARS).split('\n')) {
      const isItem = /^\s*(?:[-*+]|\d+[.)])\s/.test(raw)
      const line = raw
        .replace(/^\s*(?:[-*+]|\d+[.)])\s/, '')
        .replace(/[*_#>]/g, ' ')
        .trim()
      const named = LINE.exec(line.replace(/^[-\s]+/, ''))?.[1]
      if (named) for (const role of named.split(/,|;| and | or /)) add(role)
      else if (isListed && isItem) add(line.split(/[:(]| - | – /)[0] as string)
      if (line !== '' && !isItem) isListed = HEADING.test(line)
    }
  }
  return found.slice(0, MAX_PERSONAS)
}

/** Returns the rank of a person. */
export type PersonaRanking = (person: { title: string | null; country_code?: string | null }) => number | null

/**
 * How close a person is to the personas: 1 matches one, 2 is adjacent, 3 is the fallback, 4 leads something else, 5 is
 * any other person. Null when the ICP names no personas or the person has no title.
 */
export function createPersonaRanking(personas: readonly string[]): PersonaRanking {
  const cascade: Cascade | null = personas.length > 0 ? compileCascade(personas.join(', ')) : null
  if (!cascade || cascade.tiers.length === 0) return () => null
  return ({ title }) => {
    if (!title) return null
    const tier = matchCascade(cascade, { title })
    if (tier) return tier.label === 'ideal' ? 1 : tier.label === 'adjacent' ? 2 : 3
    return LEADING_LEVELS.includes(readTitle(title).job_level) ? 4 : 5
  }
}
