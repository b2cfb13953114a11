/** Precision and recall of people extraction over the labelled pages: `node scripts/eval-people.ts [--errors]`. */
import { readFileSync } from 'node:fs'
import { layoutOf, urlOf } from '../sandbox/sites/pages.ts'
import { siteResponse } from '../sandbox/sites.ts'
import { createWorld } from '../sandbox/world.ts'
import { readWebPage } from '../src/engine/page/index.ts'

const folder = new URL('../test/fixtures/pages/', import.meta.url)
const expected = JSON.parse(readFileSync(new URL('people.json', folder), 'utf8')) as Record<string, [string, string][]>

/** A person counts as found only with the right title: a name with another person's job is a wrong result. */
const keyOf = (name: string, title: string) =>
  `${name} | ${title}`.toLowerCase().normalize('NFC').replaceAll('.', '').replaceAll(',', '')

type Sums = { right: number; found: number; wanted: number; pages: number }
const groups = new Map<string, Sums>()

function score(name: string, group: string, url: string, html: string, people: [string, string][]): void {
  const found = readWebPage({ url, html }).people
  const wanted = new Set(people.map(([full, title]) => keyOf(full, title)))
  const got = new Set(found.map((person) => keyOf(person.full_name, person.title)))
  const right = [...got].filter((key) => wanted.has(key)).length
  for (const member of [group, 'all']) {
    const sums = groups.get(member) ?? { right: 0, found: 0, wanted: 0, pages: 0 }
    groups.set(member, {
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

for (const [name, people] of Object.entries(expected)) {
  const html = readFileSync(new URL(`${name}.html`, folder), 'utf8')
  score(name, name.slice(0, 1), `https://${name}.example/page`, html, people)
}

const world = createWorld()
for (const company of world.companies) {
  const { site, domain, people } = company
  if (site.fault || site.robots === 'closed') continue
  const url = new URL(urlOf(company, layoutOf(company).paths.team))
  const answer = await siteResponse({ method: 'GET', url, headers: {}, body: '' }, world)
  if (!answer || typeof answer === 'string') throw new Error(`No team page at ${url}`)
  const truth = people.map(({ full_name, title }): [string, string] => [full_name, title])
  score(domain, 's', url.href, String(answer.body ?? ''), truth)
}

const NAMES: Record<string, string> = {
  m: 'markups',
  p: 'further pages',
  q: 'later pages',
  r: 'last pages',
  s: 'sandbox sites',
  all: 'all',
}
for (const [group, { right, found, wanted, pages }] of groups) {
  const precision = (right / found).toFixed(3)
  const recall = (right / wanted).toFixed(3)
  console.log(
    `${(NAMES[group] ?? group).padEnd(14)} pages ${pages} people ${wanted} precision ${precision} recall ${recall}`,
  )
}
