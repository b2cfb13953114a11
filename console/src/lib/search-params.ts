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

/** A comma-separated list: `a,b,c`. */
export function listParam(raw: RawSearch, name: string, most = 50): string[] | undefined {
  const parts = textParam(raw, name, 4_000)?.split(',').filter(Boolean).slice(0, most)
  return parts && parts.length > 0 ? parts : undefined
}
