// Quality of page parsing: article text by snippets it must and must not contain, and the publication date, over real pages that are not
// part of the repository: node scripts/eval-pages.ts <pages.ndjson.gz> [--kept] [--peer] [--errors]. Two thirds of the pages, by a hash of
// their ids, are for tuning; `--kept` measures the other third, without showing which pages are wrong.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { documentPublication, readWebPage } from '../src/engine/page/index.ts'

type Labelled = {
  id: string
  url: string
  html: string
  published_date?: string | null
  must_hold?: string[]
  must_not_hold?: string[]
}
type Read = { text: string; published_date: string | null; how?: string | undefined }

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    kept: { type: 'boolean', default: false },
    peer: { type: 'boolean', default: false },
    errors: { type: 'boolean', default: false },
  },
})
const [file] = positionals
if (!file) throw new Error('Which pages? node scripts/eval-pages.ts <pages.ndjson.gz> [--kept] [--peer] [--errors]')

const isKept = (id: string) => (createHash('sha256').update(id).digest()[0] as number) % 3 === 0
const pages = gunzipSync(readFileSync(file))
  .toString()
  .split('\n')
  .filter(Boolean)
  .map((line) => JSON.parse(line) as Labelled)
  .filter(({ id }) => isKept(id) === values.kept)

/** Whitespace differs between a text of lines and a snippet of a page. */
const folded = (text: string) =>
  text
    .normalize('NFC')
    .replaceAll(/[\u00ad\u200b]/g, '')
    .replaceAll(/\s+/gu, ' ')
    .trim()

function ours({ url, html }: Labelled): Read {
  const page = readWebPage({ url, html })
  const { published_date, published_by } = documentPublication(page)
  return { text: page.text, published_date, how: published_by ?? undefined }
}

function measure(name: string, read: (page: Labelled) => Read): void {
  const snippets = { held: 0, missing: 0, kept_out: 0, let_in: 0 }
  const days = { right: 0, wrong: 0, none: 0 }
  const byHow = new Map<string, { right: number; wrong: number }>()
  const began = performance.now()
  for (const page of pages) {
    const found = read(page)
    const text = folded(found.text)
    const say = (what: string, detail: string) => {
      if (values.errors && !values.kept) console.log(`${what.padEnd(8)} ${page.id} ${page.url}\n         ${detail}`)
    }
    for (const snippet of page.must_hold ?? []) {
      if (text.includes(folded(snippet))) snippets.held++
      else {
        snippets.missing++
        say('missing', snippet)
      }
    }
    for (const snippet of page.must_not_hold ?? []) {
      if (text.includes(folded(snippet))) {
        snippets.let_in++
        say('let in', snippet)
      } else snippets.kept_out++
    }
    if (!page.published_date) continue
    const { published_date, how = '' } = found
    const outcome = published_date === null ? 'none' : published_date === page.published_date ? 'right' : 'wrong'
    days[outcome]++
    if (outcome !== 'right') say(`day ${outcome.slice(0, 4)}`, `${page.published_date}, read ${published_date} ${how}`)
    if (outcome === 'none') continue
    const sums = byHow.get(how) ?? { right: 0, wrong: 0 }
    sums[outcome]++
    byHow.set(how, sums)
  }
  const { held, missing, kept_out, let_in } = snippets
  const share = (part: number, ...others: number[]) =>
    (part / others.reduce((sum, other) => sum + other, part)).toFixed(3)
  console.log(
    `${name}: snippets ${held + missing + kept_out + let_in} accuracy ${share(held + kept_out, missing, let_in)} ` +
      `must hold ${share(held, missing)} must not ${share(let_in, kept_out)} F1 ${share(2 * held, missing, let_in)}; ` +
      `days ${days.right + days.wrong + days.none} right ${share(days.right, days.wrong, days.none)} ` +
      `wrong ${share(days.wrong, days.right, days.none)}; ${((performance.now() - began) / 1000).toFixed(1)} s`,
  )
  for (const [how, { right, wrong }] of byHow) if (how) console.log(`  ${how.padEnd(16)} right ${right} wrong ${wrong}`)
}

console.log(`${pages.length} pages${values.kept ? ', the kept third' : ''}`)
measure('page reader', ours)
if (values.peer) {
  // Installed by "npm run tools", which only this comparison needs.
  const { readArticle } = await import('../tools/readability.ts')
  measure('Readability', ({ html }) => {
    const article = readArticle(html)
    const published_date = /^\d{4}-\d{2}-\d{2}/.exec(article?.publishedTime ?? '')?.[0] ?? null
    return { text: article?.textContent ?? '', published_date }
  })
}
