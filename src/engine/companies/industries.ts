// A taxonomy of industries with the names that people and directories use for them.

import { foldText } from '../text/fold.ts'
import { findSimilarNames } from '../text/similar-names.ts'
import lines from './industries.json' with { type: 'json' }

type Industry = {
  key: string
  /** An industry can have several parents: fintech is software and finance. */
  parents: string[]
  names: string[]
}

/** A line is `key < parents: names`. Names are folded: no case, no accents, "and" for &. */
const INDUSTRIES = lines.map((line): Industry => {
  const [head = '', names = ''] = line.split(':')
  const [key = '', parents] = head.split(' < ')
  return {
    key,
    parents: parents ? parents.split(' ') : [],
    names: [key.replaceAll('_', ' '), ...names.trim().split(', ')],
  }
})

const BY_NAME = new Map(INDUSTRIES.flatMap(({ key, names }) => names.map((name) => [name, key] as const)))
export const MAX_INDUSTRY_WORDS = Math.max(...[...BY_NAME.keys()].map((name) => name.split(' ').length))
const CHILDREN = new Map<string, string[]>()
for (const { key, parents } of INDUSTRIES)
  for (const parent of parents) CHILDREN.set(parent, [...(CHILDREN.get(parent) ?? []), key])

const PARENTS = new Map(INDUSTRIES.map(({ key, parents }) => [key, parents]))

/** Words that do not narrow down the industry. */
const FILLER = new Set(
  (
    'industry industries sector sectors company companies business businesses firm firms provider providers vendor ' +
    'vendors operator operators maker makers producer producers supplier suppliers brand brands group groups startup ' +
    'startups b2b b2c global the'
  ).split(' '),
)
const MAX_CHARS = 300

/** The words of an industry's name, without case, accents and punctuation. */
export function foldIndustry(text: string): string {
  return foldText(text.slice(0, MAX_CHARS))
    .replaceAll(/[&+]/g, ' and ')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** Keys of the industries that a text names, in the order of the text; empty when it names no known one. */
export function industryKeys(text: string): string[] {
  const whole = BY_NAME.get(foldIndustry(text))
  if (whole) return [whole]
  const parts = text
    .slice(0, MAX_CHARS)
    .split(/[,;/|•>()]|\s[-–—]\s|\s&\s|\band\b/i)
    .flatMap((part) => keyOfPart(foldIndustry(part)) ?? [])
  return [...new Set(parts)]
}

/** The key of a folded name, or of its singular or plural. */
export function findIndustryKey(name: string): string | undefined {
  const others = [name.replace(/ies$/, 'y'), name.replace(/s$/, ''), `${name}s`, name.replace(/y$/, 'ies')]
  return BY_NAME.get(name) ?? BY_NAME.get(others.find((other) => BY_NAME.has(other)) ?? '')
}

/** In a part such as "logistics software" the last industry is the relevant one. */
function keyOfPart(part: string): string | undefined {
  const words = part.split(' ').filter((word) => !FILLER.has(word))
  const whole = findIndustryKey(part) ?? findIndustryKey(words.join(' '))
  if (whole) return whole
  for (let end = words.length; end > 0; end--) {
    for (let start = Math.max(0, end - MAX_INDUSTRY_WORDS); start < end; start++) {
      const key = findIndustryKey(words.slice(start, end).join(' '))
      if (key) return key
    }
  }
  return undefined
}

export function industryWithDescendants(key: string): string[] {
  return [key, ...(CHILDREN.get(key) ?? []).flatMap(industryWithDescendants)]
}

export function industryWithAncestors(key: string): string[] {
  return [key, ...(PARENTS.get(key) ?? []).flatMap(industryWithAncestors)]
}

export type IndustryFilter = {
  keys: string[]
  /** Requested names outside the taxonomy, folded for literal comparison. */
  words: string[]
}

/** Matches the requested industries, all their descendants, and names outside the taxonomy literally. */
export function buildIndustryFilter(asked: readonly string[]): IndustryFilter {
  const keys = new Set<string>()
  const words = new Set<string>()
  for (const text of asked) {
    const known = industryKeys(text)
    for (const key of known.flatMap(industryWithDescendants)) keys.add(key)
    if (known.length === 0) words.add(foldIndustry(text))
  }
  return { keys: [...keys], words: [...words] }
}

/** True when a company's industry, as it is written, matches the filter. An unknown industry matches no filter. */
export function matchesIndustry({ keys, words }: IndustryFilter, industry: string | null): boolean {
  if (!industry) return false
  return industryKeys(industry).some((key) => keys.includes(key)) || words.includes(foldIndustry(industry))
}

/** Names of known industries that are similar to a text which names none. */
export function suggestIndustries(text: string): string[] {
  const found = findSimilarNames(foldIndustry(text), BY_NAME.keys(), 5).map((name) =>
    industryName(BY_NAME.get(name) as string),
  )
  return [...new Set(found)].slice(0, 3)
}

/** Industries without a parent. */
export const TOP_INDUSTRIES = INDUSTRIES.filter(({ parents }) => parents.length === 0).map(({ key }) =>
  industryName(key),
)

export function industryName(key: string): string {
  return key.replaceAll('_', ' ')
}
