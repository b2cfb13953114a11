import { DEPARTMENTS, type Department } from '../titles/index.ts'
import { titleWords } from '../titles/words.ts'
import FIELD_LINES from './fields.json' with { type: 'json' }

/** A field of work, with its parent fields and the neighbouring fields that are the fallback. */
export type Field = { id: string; name: string; parents: string[]; near: string[]; department: Department }

/**
 * The tree of fields of work. Format of a line: `id < parents @Department ~neighbours: phrases`. The first phrase is
 * the name shown in titles; the others are its synonyms in titles, headlines and requests, including the things it is
 * responsible for ("laptops"). A line without parents is a department; neighbours are the fallback. The first line of a
 * department represents all of it. A phrase may be in several lines (a CPO is a chief of product, people or
 * procurement).
 */
const LINE = /^([a-z ]+?)(?: < ([a-z ]+?))?(?: @([A-Za-z ]+?))?(?: ~([a-z ]+?))?: (.+)$/
const MAX_PHRASE_WORDS = 5
/** Fields of the people who run or own the company. */
export const EXECUTIVE_FIELDS = ['ceo', 'founder', 'owner', 'board', 'partner']

const FIELDS = new Map<string, Field>()
const PHRASES = new Map<string, string[]>()
const WORDS = new Set<string>()

const UNCHANGED = new Set(
  'sales operations analytics logistics communications business devops revops finops success accounts systems partnerships resources services alliances process series facilities ops news grants'.split(
    ' ',
  ),
)

loadFields()

function loadFields(): void {
  const lines = FIELD_LINES.map((line) => LINE.exec(line) ?? [])
  const ids = lines.map(([, id = '']) => id)
  for (const [, id = '', parents = '', department = 'Other', near = '', phrases = ''] of lines) {
    const names = phrases.split('|')
    FIELDS.set(id, {
      id,
      name: names[0] as string,
      parents: idsIn(parents, ids),
      near: idsIn(near, ids),
      department: DEPARTMENTS.find((known) => known === department) ?? 'Other',
    })
    for (const phrase of names) {
      const words = titleWords(phrase).map(singularize)
      const key = words.join(' ')
      const known = PHRASES.get(key) ?? []
      if (!known.includes(id)) PHRASES.set(key, [...known, id])
      for (const word of words) WORDS.add(word)
    }
  }
  for (const field of FIELDS.values()) if (field.parents.length > 0) field.department = rootOf(field).department
}

/** "supply chain operations" contains two ids: ids may contain spaces, so the longest known ids are taken. */
function idsIn(text: string, ids: readonly string[]): string[] {
  const found: string[] = []
  const words = text.split(' ').filter(Boolean)
  for (let i = 0; i < words.length; ) {
    let length = words.length - i
    while (length > 1 && !ids.includes(words.slice(i, i + length).join(' '))) length--
    found.push(words.slice(i, i + length).join(' '))
    i += length
  }
  return found
}

/** The words of a title or request; "vice president" is one word, because a president is another role. */
export function tokenizeTitle(text: string): string[] {
  return titleWords(text).join(' ').replaceAll('vice president', 'vp').split(' ').filter(Boolean)
}

/** The singular of a job word, so that "CTOs" and "sales directors" match. */
export function singularize(word: string): string {
  if (UNCHANGED.has(word)) return word
  if (/^(?:vp|ae|am|pm|ea|pa|gm|md)s$/.test(word)) return word.slice(0, -1)
  if (word.endsWith('ies') && word.length > 5) return `${word.slice(0, -3)}y`
  return word.endsWith('s') && !word.endsWith('ss') && word.length > 3 ? word.slice(0, -1) : word
}

export function findField(id: string): Field {
  return FIELDS.get(id) ?? { id, name: id, parents: [], near: [], department: 'Other' }
}

function rootOf(field: Field): Field {
  const [parent] = field.parents
  return parent ? rootOf(findField(parent)) : field
}

/** Whether a field is another one or part of it. */
export function isFieldWithin(id: string, other: string): boolean {
  return id === other || findField(id).parents.some((parent) => isFieldWithin(parent, other))
}

/** The fields that a field is part of, nearest first. */
export function fieldAncestors(id: string): string[] {
  const { parents } = findField(id)
  return [...new Set([...parents, ...parents.flatMap(fieldAncestors)])]
}

export function fieldRoots(id: string): string[] {
  const { parents } = findField(id)
  return parents.length === 0 ? [id] : [...new Set(parents.flatMap(fieldRoots))]
}

/** The field of a department, for titles that name no field of the vocabulary. */
export function fieldForDepartment(department: Department): string | null {
  if (department === 'Other' || department === 'Executive') return null
  for (const field of FIELDS.values())
    if (field.parents.length === 0 && field.department === department) return field.id
  return null
}

export type FieldMention = { fields: string[]; start: number; length: number }

/** The fields that words name, longest phrases first: "product marketing" is not the field "product". */
export function findFieldMentions(words: readonly string[]): FieldMention[] {
  const found: FieldMention[] = []
  for (let i = 0; i < words.length; ) {
    let length = Math.min(MAX_PHRASE_WORDS, words.length - i)
    let fields: string[] | undefined
    for (; length > 0; length--) {
      fields = PHRASES.get(words.slice(i, i + length).join(' '))
      if (fields) break
    }
    if (fields) found.push({ fields, start: i, length })
    i += Math.max(1, length)
  }
  const isWeak = ({ start, length }: FieldMention) => length === 1 && JOB_NOUNS.has(words[start] as string)
  return found.every(isWeak) ? found : found.filter((mention) => !isWeak(mention))
}

/** Nouns that name a field only when nothing else does: a lab technician is not in maintenance. */
const JOB_NOUNS = new Set(
  'clerk technician administrative engineer mechanic editor writer driver planner crew scientist researcher developer designer buyer'.split(
    ' ',
  ),
)

export const isFieldWord = (word: string): boolean => WORDS.has(word)
export const fieldWords = (): Iterable<string> => WORDS
