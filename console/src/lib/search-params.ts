/** Search parameters of the URL. They are user input: invalid values are ignored. */
type RawSearch = Record<string, unknown>

export function textParam(raw: RawSearch, name: string, longest = 200): string | undefined {
  const value = raw[name]
  const given = typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
  return given.trim() === '' ? undefined : given.slice(0, longest)
}

export function integerParam(raw: RawSearch, name: string, least = 1): number | undefined {
  const value = Number(raw[name])
  return Number.isSafeInteger(value) && value >= least ? value : undefined
}

export function booleanParam(raw: RawSearch, name: string): boolean | undefined {
  const value = raw[name]
  return value === true || value === 'true' ? true : value === false || value === 'false' ? false : undefined
}

export function enumParam<const T extends string>(raw: RawSearch, name: string, known: readonly T[]): T | undefined {
  return known.find((one) => one === raw[name])
}

/** A list of texts. The router writes it as a JSON array and reads it back as one. */
export function listParam(raw: RawSearch, name: string, most = 100): string[] | undefined {
  const given = [raw[name]].flat().filter((one): one is string => typeof one === 'string' && one.trim() !== '')
  return given.length > 0 ? given.slice(0, most).map((one) => one.slice(0, 200)) : undefined
}

/** The query of the URL that was loaded, before the router parses and rewrites it. */
export const LOADED_QUERY = window.location.search
