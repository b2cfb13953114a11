/** Precision and recall of people extraction over the labelled pages: `node scripts/eval-people.ts [--errors]`. */
import { readFileSync } from 'node:fs'
import { readPage } from '../src/engine/page.ts'

const folder = new URL('../test/fixtures/pages/', import.meta.url)
const expected = JSON.parse(readFileSync(new URL('people.json', folder), 'utf8')) as Record<string, [string, string][]>

/** A person counts as found only with the right title: a name beside somebody else's job is a wrong person. */
const keyOf = (name: string, title: string) =>
  `${name} | ${title}`.toLowerCase().normalize('NFC').replaceAll('.', '').replaceAll(',', '')

const groups = new Map<string, { right: number; found: number; wanted: number; pages: number }>()
for (const [name, people] of Object.entries(expected)) {
  const html = readFileSync(new URL(`${name}.html`, folder), 'utf8')
  const found = readPage({ url: `https://${name}.example/page`, html }).people
  const wanted = new Set(people.map(([full, title]) => keyOf(full, title)))
  const got = new Set(found.map((person) => keyOf(person.full_name, person.title)))
  const right = [...got].filter((key) => wanted.has(key)).length
  for (const group of [name.slice(0, 1), 'all']) {
    const sums = groups.get(group) ?? { right: 0, found: 0, wanted: 0, pages: 0 }
    groups.set(group, {
      right: sums.right + right,
      found: sums.found + got.size,
      wanted: sums.wanted + wanted.size,
      pages: sums.pages + 1,
    })
  }
  if (process.argv.includes('--errors')) {
    for (const key of got) if (!wanted.has(key)) console.log(`${name} wrong   ${key}`)
    for (const key of wanted) if (!got.has(key)) console.log(`${name} missing ${key}`)
  }
}
const NAMES: Record<string, string> = {
  m: 'markups',
  p: 'further pages',
  q: 'later pages',
  r: 'last pages',
  all: 'all',
}
for (const [group, { right, found, wanted, pages }] of groups) {
  const precision = (right / found).toFixed(3)
  const recall = (right / wanted).toFixed(3)
  console.log(
    `${(NAMES[group] ?? group).padEnd(14)} pages ${pages} people ${wanted} precision ${precision} recall ${recall}`,
  )
}
