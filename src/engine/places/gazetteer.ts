// States and cities of the world. The data comes from GeoNames (scripts/write-places.ts) and is parsed at the first lookup.
import { readFileSync } from 'node:fs'
import { foldPlaceName } from '../countries.ts'
import further from './names.json' with { type: 'json' }

export type Area = { id: string; country: string; name: string; thousands: number }
export type City = { name: string; area: Area; thousands: number }

export type Gazetteer = {
  areas: ReadonlyMap<string, readonly Area[]>
  /** By upper-case abbreviation: "CA", "NSW". */
  abbreviations: ReadonlyMap<string, readonly Area[]>
  cities: ReadonlyMap<string, readonly City[]>
  groups: ReadonlyMap<string, readonly (Area | City)[]>
}

let loaded: Gazetteer | null = null

/** The first call takes some 300 ms and 10 MB, so it is not made at startup. */
export function loadGazetteer(): Gazetteer {
  loaded ??= read()
  return loaded
}

function read(): Gazetteer {
  const areas = new Map<string, Area[]>()
  const abbreviations = new Map<string, Area[]>()
  const cities = new Map<string, City[]>()
  /** By "US.CA" and "US.CA/San Jose". */
  const places = new Map<string, Area | City>()
  // Not imported, because a bundle would keep its text and its strings in memory from the start.
  const lines: string[] = JSON.parse(readFileSync(new URL('places.json', import.meta.url), 'utf8'))
  for (const line of lines) {
    const [head = '', tail = ''] = line.split('=')
    const [id = '', ...names] = head.split('|')
    const area: Area = { id, country: id.slice(0, 2), name: names[0] ?? id, thousands: 0 }
    places.set(id, area)
    for (const name of names) {
      if (/^[A-Z]{2,3}$/.test(name)) push(abbreviations, name, area)
      else for (const spelling of spellings(name)) push(areas, spelling, area)
    }
    for (const entry of tail ? tail.split(';') : []) {
      const at = entry.lastIndexOf(' ')
      const names = entry.slice(0, at).split('/')
      const city: City = { name: names[0] as string, area, thousands: Number(entry.slice(at + 1)) }
      area.thousands += city.thousands
      places.set(`${id}/${city.name}`, city)
      for (const name of names) for (const spelling of spellings(name)) push(cities, spelling, city)
    }
  }
  // Additional names, and names for groups of places.
  for (const [where, names] of Object.entries(further.names)) {
    const place = places.get(where)
    for (const name of names.split('|'))
      if (place) 'area' in place ? push(cities, name, place) : push(areas, name, place)
  }
  const groups = new Map<string, (Area | City)[]>()
  for (const [names, wheres] of Object.entries(further.groups)) {
    const members = wheres.flatMap((where) => places.get(where) ?? [])
    for (const name of names.split('|')) groups.set(name, members)
  }
  return { areas, abbreviations, cities, groups }
}

function push<T>(map: Map<string, T[]>, key: string, value: T): void {
  const known = map.get(key)
  if (!known) map.set(key, [value])
  else if (!known.includes(value)) known.push(value)
}

/** Names that only need lower case; full folding takes most of the loading time. */
const PLAIN = /^(?!St\b|The )[A-Z][a-z]+(?: [A-Z][a-z]+)*$/
const FRAME = / (?:Voivodeship|Region|Province|Prefecture|Oblast|Parish|County|län|\([^)]*\))$/i
const UMLAUTS = /[äöüÄÖÜ]/g

/** "Düsseldorf" is also written "Duesseldorf", and "Łódź Voivodeship" without its last word. */
function spellings(name: string): string[] {
  const folded = PLAIN.test(name) ? name.toLowerCase() : foldPlaceName(name)
  const bare = name.replace(FRAME, '')
  const spelled = name.replaceAll(UMLAUTS, (letter) => `${letter.normalize('NFD')[0]}e`)
  return [folded, ...[bare, spelled].filter((other) => other !== name).map(foldPlaceName)]
}
