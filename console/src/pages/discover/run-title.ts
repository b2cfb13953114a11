import type { Schemas } from '../../api/client.ts'

/** What a run was asked for, as its form has it; what is not said is absent. */
export type Rule = { any: string[]; must: string[]; without: string[]; places: string[]; industries: string[] }

export function ruleOf(spec: Record<string, unknown> | null): Rule {
  const { signals = {}, geographies, industries } = (spec ?? {}) as Record<string, unknown>
  const { any_of, must_have, exclude } = signals as Record<string, unknown>
  const texts = (value: unknown) => (Array.isArray(value) ? value.map(String) : [])
  return {
    any: texts(any_of),
    must: texts(must_have),
    without: texts(exclude),
    places: texts(geographies),
    industries: texts(industries),
  }
}

type Titled = Pick<Schemas['Run'], 'name' | 'signal_id' | 'spec'>

/** What a run is called: as its starter named it, or by what it looks for, such as "Funding or Expansion in DACH". */
export function runTitle({ name, signal_id, spec }: Titled, nameOf: (id: string) => string): string {
  if (name) return name
  const { any, must, without, places, industries } = ruleOf(spec)
  const named = (ids: string[], word: string) => few(ids.map(nameOf), word)
  const signals = [named(any, 'or'), named(must, 'and')].filter(Boolean).join(', with ')
  return [
    signals || (signal_id ? nameOf(signal_id) : 'Any signal'),
    without.length > 0 ? `, without ${named(without, 'or')}` : '',
    places.length > 0 ? ` in ${few(places, 'or')}` : '',
    industries.length > 0 ? ` (${few(industries, 'or')})` : '',
  ].join('')
}

const MOST_NAMED = 3

/** `A, B or C`; of many the first and how many more. */
function few(names: string[], word: string): string {
  const shown = names.length > MOST_NAMED ? names.slice(0, MOST_NAMED - 1) : names
  const rest = names.length - shown.length
  const all = rest > 0 ? [...shown, `${rest} more`] : shown
  return [all.slice(0, -1).join(', '), all.at(-1)].filter(Boolean).join(` ${word} `)
}
