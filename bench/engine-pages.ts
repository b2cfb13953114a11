/**
 * Pages per second on one core: the page parser (text, date, organisation, people, links) compared with Readability on
 * linkedom (text only) over the same generated pages, and how much article text and boilerplate each keeps.
 * `node bench/engine-pages.ts [seconds per measurement]`
 */
import { readWebPage } from '../src/engine/page/index.ts'
import { readArticle } from '../tools/readability.ts'

const seconds = Number(process.argv[2] ?? 2)
const WORDS =
  'harbour copper lantern quiet window signal margin ledger autumn bridge customer order region growth valve cargo meadow engine paper market'.split(
    ' ',
  )

/** Deterministic generator, so that every run measures the same pages. */
function words(count: number, seed: number): string {
  let state = seed
  const out: string[] = []
  for (let i = 0; i < count; i++) {
    state = (state * 1103515245 + 12345) % 2147483648
    out.push(WORDS[state % WORDS.length] as string)
  }
  return out.join(' ')
}

const menu = Array.from(
  { length: 60 },
  (_, i) =>
    `<li class="menu-item"><a class="menu-link" href="/section-${i}"><span>Navigate ${words(2, i)}</span></a></li>`,
).join('')
const noise = `<style>${'.a{color:red;margin:0 auto}'.repeat(400)}</style><script>${'window.q=window.q||[];q.push(["event",1]);'.repeat(400)}</script>`
const icon = `<svg viewBox="0 0 24 24"><path d="${'M12 2 L3 4 '.repeat(20)}"/></svg>`
const frame = (body: string, head = '') =>
  `<!doctype html><html><head><title>Bench page</title>${head}${noise}</head><body><header class="site-header">${icon}<nav><ul>${menu}</ul></nav></header>${body}` +
  `<aside class="sidebar"><h3>Related boilerplateword</h3><ul>${menu}</ul></aside><footer><p>Copyright boilerplateword</p><ul>${menu}</ul></footer>${noise}</body></html>`

const paragraphs = Array.from(
  { length: 24 },
  (_, i) => `<p>Articleword ${words(70, i + 7)}, <a href="/x">${words(3, i)}</a> ${words(20, i)}.</p>`,
).join('')
const cards = Array.from({ length: 80 }, (_, i) => {
  const given = ['Ada', 'Noor', 'Ivo', 'Lena', 'Tomas'][i % 5]
  const family = ['Pike', 'Falk', 'Moreno', 'Okafor', 'Lindt'][Math.floor(i / 5) % 5]
  return `<div class="col"><div class="card"><img src="/p/${i}.jpg" alt="">${icon}<h3>${given} ${'ABCDEFGHIJKLMNOPQRSTUVWXYZ'[i % 26]}. ${family}</h3><p>Director of Operations</p><p>${words(30, i)}</p></div></div>`
}).join('')
const PAGES: Record<string, string> = {
  article: frame(
    `<main><article><h1>Headline</h1><time datetime="2026-02-03">3 Feb</time>${paragraphs}</article></main>`,
    '<meta property="article:published_time" content="2026-02-03">',
  ),
  'article in divs': frame(
    `<div class="wrap"><div class="post-body"><h1>Headline</h1>${paragraphs.replaceAll('<p>', '<div>').replaceAll('</p>', '</div>')}</div></div>`,
  ),
  team: frame(`<section><h1>Our team</h1><div class="row">${cards}</div></section>`),
  home: frame(
    Array.from(
      { length: 12 },
      (_, i) => `<section><h2>${words(4, i)}</h2><p>${words(25, i)}</p><a href="/s${i}">More</a></section>`,
    ).join(''),
  ),
}

function rate(run: () => unknown): number {
  for (let i = 0; i < 5; i++) run()
  const start = performance.now()
  let count = 0
  while (performance.now() - start < seconds * 1000) {
    run()
    count++
  }
  return (count * 1000) / (performance.now() - start)
}

const readable = (html: string) => readArticle(html)?.textContent ?? ''

const share = (text: string, word: string, of: number) => `${Math.round(((text.split(word).length - 1) / of) * 100)} %`

console.log(
  '| page | KB | page reader, pages/s | MB/s | Readability + linkedom, pages/s | article kept | boilerplate kept |',
)
console.log('|---|---|---|---|---|---|---|')
for (const [name, html] of Object.entries(PAGES)) {
  const url = 'https://bench.example/page'
  const ours = rate(() => readWebPage({ url, html }))
  const peer = rate(() => readable(html))
  const [text, theirs] = [readWebPage({ url, html }).text, readable(html)]
  const article = name.startsWith('article')
    ? `${share(text, 'Articleword', 24)} / ${share(theirs, 'Articleword', 24)}`
    : '-'
  const boilerplate = `${share(text, 'boilerplateword', 2)} / ${share(theirs, 'boilerplateword', 2)}`
  const kb = html.length / 1024
  console.log(
    `| ${name} | ${kb.toFixed(0)} | ${ours.toFixed(0)} | ${((ours * kb) / 1024).toFixed(1)} | ${peer.toFixed(0)} | ${article} | ${boilerplate} |`,
  )
}

console.log('\n| hostile input | ms | twice as much, ms |')
console.log('|---|---|---|')
const HOSTILE: Record<string, (n: number) => string> = {
  'one character (5 and 10 MB)': (n) => 'a'.repeat(n * 5_000_000),
  'commas (1 and 2 million)': (n) => ','.repeat(n * 1_000_000),
  'nested tags (50,000 and 100,000)': (n) => `${'<div>'.repeat(n * 50_000)}x${'</div>'.repeat(n * 50_000)}`,
}
for (const [name, make] of Object.entries(HOSTILE)) {
  const [once, twice] = [1, 2].map((n) => {
    const html = make(n)
    const start = performance.now()
    readWebPage({ url: 'https://bench.example', html })
    return (performance.now() - start).toFixed(0)
  })
  console.log(`| ${name} | ${once} | ${twice} |`)
}
