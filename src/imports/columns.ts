import { findCountryCode } from '../engine/countries.ts'
import { searchFold } from '../engine/text/fold.ts'
import { cutText, toStorable } from '../engine/text/storable.ts'
import { normalizeDomain } from '../shared/domains.ts'
import { SetupError } from '../shared/errors.ts'

/** Known header names of each field. The first is the name of the field. */
export type ColumnMapping = Record<string, readonly string[]>

export const ACCOUNT_COLUMNS = {
  name: [
    'name',
    'company',
    'company name',
    'account',
    'account name',
    'organization',
    'organisation',
    'firma',
    'unternehmen',
  ],
  domain: ['domain', 'website', 'web site', 'url', 'company domain', 'company website', 'homepage', 'web'],
  tags: ['tags', 'tag', 'labels', 'label', 'lists'],
  owner: ['owner', 'owner email', 'account owner', 'owner_id', 'assigned to'],
  employees: ['employees', 'employee count', 'headcount', 'number of employees', 'company size', 'size', 'mitarbeiter'],
  industry: ['industry', 'sector', 'branche'],
  location: ['location', 'city', 'headquarters', 'hq', 'address', 'ort'],
  country: ['country', 'country name', 'land'],
  network_url: ['network_url', 'network url', 'profile url', 'linkedin', 'linkedin url', 'company linkedin url'],
  short_description: ['short_description', 'description', 'about', 'summary'],
} as const satisfies ColumnMapping

export const COMPANY_COLUMNS = {
  domain: ACCOUNT_COLUMNS.domain,
  name: ACCOUNT_COLUMNS.name,
  country: [...ACCOUNT_COLUMNS.country, 'country_code', 'country code', 'hq country'],
  industry: [...ACCOUNT_COLUMNS.industry, 'industries', 'category'],
  employees: [
    'employees',
    'employee count',
    'employees count',
    'headcount',
    'number of employees',
    'num employees',
    'current employee estimate',
    'company size',
    'size',
    'mitarbeiter',
  ],
  location: [...ACCOUNT_COLUMNS.location, 'locality'],
  short_description: ACCOUNT_COLUMNS.short_description,
  network_url: ACCOUNT_COLUMNS.network_url,
  founded_year: ['founded_year', 'founded', 'year founded', 'founding year', 'foundation year', 'gegruendet'],
} as const satisfies ColumnMapping

export const PEOPLE_COLUMNS = {
  full_name: ['full_name', 'full name', 'name', 'contact', 'contact name', 'person'],
  first_name: ['first_name', 'first name', 'given name', 'firstname', 'vorname'],
  last_name: ['last_name', 'last name', 'surname', 'family name', 'lastname', 'nachname'],
  domain: ['domain', 'company domain', 'website', 'company website', 'account domain', 'company url', 'url'],
  title: ['title', 'job title', 'position', 'role'],
  headline: ['headline', 'bio'],
  network_url: [
    'network_url',
    'network url',
    'profile url',
    'profile',
    'linkedin',
    'linkedin url',
    'person linkedin url',
  ],
  email: ['email', 'e-mail', 'email address', 'work email'],
  phone: ['phone', 'phone number', 'mobile', 'mobile phone', 'telephone', 'direct phone'],
  location: ['location', 'city', 'ort'],
  country_code: ['country_code', 'country code', 'country'],
} as const satisfies ColumnMapping

const fold = (header: string) =>
  searchFold(header)
    .replaceAll(/[^a-z0-9]+/g, ' ')
    .trim()

const foldedNames = new WeakMap<ColumnMapping, [string, string[]][]>()

/** Returns the folded names of each field. Cached, because each line of an NDJSON file may have different columns. */
function foldNames(known: ColumnMapping): [string, string[]][] {
  const done = foldedNames.get(known)
  if (done) return done
  const folded = Object.entries(known).map(([field, names]): [string, string[]] => [field, names.map(fold)])
  foldedNames.set(known, folded)
  return folded
}

/** Yields the columns named by the caller, by header or as `Column 3`. Throws SetupError for a missing column. */
function* namedColumns(
  headers: string[],
  known: ColumnMapping,
  given: Record<string, string>,
): Generator<[string, number]> {
  const folded = headers.map(fold)
  for (const [field, header] of Object.entries(given)) {
    if (!Object.hasOwn(known, field))
      throw new SetupError(`There is no field "${field}". There are: ${Object.keys(known).join(', ')}.`)
    if (header === '') continue
    const named = folded.indexOf(fold(header))
    const at = named >= 0 ? named : Number(/^column (\d{1,4})$/i.exec(header)?.[1] ?? 0) - 1
    if (at < 0 || at >= headers.length)
      throw new SetupError(
        `The file has no column "${header}". It has: ${cutText(toStorable(headers.join(', ')), 1_000)}.`,
      )
    yield [field, at]
  }
}

/** Whether a line is a header: one of its cells is a known field name, and none is a domain. */
export function isHeader(cells: readonly string[], known: ColumnMapping): boolean {
  const names = new Set(foldNames(known).flatMap(([, names]) => names))
  return cells.some((cell) => names.has(fold(cell))) && !cells.some(isDomain)
}

const isDomain = (cell: string) => !cell.includes('@') && !/\s/.test(cell) && normalizeDomain(cell) !== null
/** Patterns for fields without a header; the first column that matches is the field. */
const CONTENT_PATTERNS: [string, (cell: string) => boolean][] = [
  ['domain', isDomain],
  ['country', (cell) => findCountryCode(cell) !== null],
  ['name', (cell) => /\p{L}/u.test(cell)],
]

/** Guesses the columns of a file without a header by their content. */
export function guessColumnsByContent(
  headers: string[],
  sample: readonly string[][],
  known: ColumnMapping,
  given: Record<string, string> = {},
): Map<string, number> {
  const found = new Map(namedColumns(headers, known, given))
  const taken = new Set(found.values())
  for (const [field, matches] of CONTENT_PATTERNS) {
    if (Object.hasOwn(given, field) || !Object.hasOwn(known, field)) continue
    const at = headers.findIndex((_, column) => {
      const cells = sample.flatMap((record) => record[column] || [])
      return !taken.has(column) && cells.length > 0 && cells.filter(matches).length >= cells.length / 2
    })
    if (at < 0) continue
    found.set(field, at)
    taken.add(at)
  }
  return found
}

/**
 * Guesses the column of each field by its header. `given` names columns explicitly (`field=header`). The first matching
 * column is used; other columns are ignored.
 */
export function guessColumns(
  headers: string[],
  known: ColumnMapping,
  given: Record<string, string> = {},
): Map<string, number> {
  const found = new Map<string, number>()
  const positions = new Map<string, number>()
  for (const [at, header] of headers.entries()) {
    const name = fold(header)
    if (!positions.has(name)) positions.set(name, at)
  }
  for (const [field, at] of namedColumns(headers, known, given)) found.set(field, at)
  const taken = new Set(found.values())
  for (const [field, names] of foldNames(known)) {
    // Named by the caller, or excluded with an empty name.
    if (Object.hasOwn(given, field)) continue
    const at = names.map((name) => positions.get(name)).find((index) => index !== undefined && !taken.has(index))
    if (at === undefined) continue
    found.set(field, at)
    taken.add(at)
  }
  return found
}
