import type { DiscoverySpec } from './rule.ts'

/** What a run is called that its caller gave no name: what it looks for, such as "Funding or Expansion in DACH". */
export function runName(
  { signals, geographies, industries }: Pick<DiscoverySpec, 'signals' | 'geographies' | 'industries'>,
  signalName: (id: string) => string,
): string {
  const named = (ids: readonly string[], word: string) => few(ids.map(signalName), word)
  const { any_of, must_have, exclude } = signals
  return [
    [named(any_of, 'or'), named(must_have, 'and')].filter(Boolean).join(', with '),
    exclude.length > 0 ? `, without ${named(exclude, 'or')}` : '',
    geographies.length > 0 ? ` in ${few(geographies, 'or')}` : '',
    industries.length > 0 ? ` (${few(industries, 'or')})` : '',
  ].join('')
}

const MOST_NAMED = 3

/** `A, B or C`; of many the first and how many more. */
function few(names: readonly string[], word: string): string {
  const shown = names.length > MOST_NAMED ? names.slice(0, MOST_NAMED - 1) : names
  const rest = names.length - shown.length
  const all = rest > 0 ? [...shown, `${rest} more`] : shown
  return [all.slice(0, -1).join(', '), all.at(-1)].filter(Boolean).join(` ${word} `)
}
