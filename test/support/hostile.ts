/** About the number of people on the largest page that is read: expensive in any case. */
const MOST_CARDS = 60_000

/** A page of people with distinct names. */
export function dearPage(cards = MOST_CARDS): string {
  const letter = (n: number) => String.fromCharCode(97 + (n % 26))
  const name = (n: number) => `Ann B${letter(n)}${letter(n / 26)}${letter(n / 676)}son`
  const card = (n: number) => `<li><h3>${name(n)}</h3><p>Head of Sales</p></li>`
  return `<html><body><ul>${Array.from({ length: cards }, (_, n) => card(n)).join('')}</ul></body></html>`
}

/** A team whose surname has every mix of d and đ, each with another title: one name after folding. */
export function hostileTeam(people: number): { name: string; title: string }[] {
  const letter = (n: number) => String.fromCharCode(97 + (n % 26))
  const spelled = (n: number) => Array.from({ length: 12 }, (_, bit) => ((n >> bit) & 1 ? 'đ' : 'd')).join('')
  return Array.from({ length: people }, (_, n) => ({
    name: `Ada D${spelled(n)}son`,
    title: `Head of Z${letter(n / 676)}${letter(n / 26)}${letter(n)}`,
  }))
}

/** A directory on one page, each person with a profile, an address, a number and a paragraph. */
export function fullDirectory(people: number, domain: string): { name: string; title: string; more: string }[] {
  const letter = (n: number) => String.fromCharCode(97 + (Math.floor(n) % 26))
  const about = 'Has built sales teams for rail and road for twenty years and keeps bees. '.repeat(4)
  return Array.from({ length: people }, (_, n) => {
    const surname = `B${letter(n)}${letter(n / 26)}${letter(n / 676)}son`
    const mail = `ann.${surname.toLowerCase()}@${domain}`
    const links = `<a href="https://www.linkedin.com/in/ann-${n}">In</a><a href="mailto:${mail}">${mail}</a>`
    return {
      name: `Ann ${surname}`,
      title: `Head of ${['Sales', 'Finance', 'Design'][n % 3]} ${surname}`,
      more: `${links}<a href="tel:+44113${4_960_000 + n}">Call</a><p>Leeds, United Kingdom</p><p>${about}</p>`,
    }
  })
}

/** Two megabytes of incidents: escapes of NUL, open tags, endless updates. */
export function hostileIncidents(company: string, day: string): string {
  const body = '\\u0000<'.repeat(500)
  const updates = Array.from({ length: 10 }, () => `{"body":"Service is down ${body}"}`).join(',')
  const incident = (n: number) =>
    `{"id":"i${n}","name":"Outage ${n} \\u0000","created_at":"${day}T00:00:00Z","incident_updates":[${updates}]}`
  const incidents = Array.from({ length: 50 }, (_, n) => incident(n)).join(',')
  return `{"page":{"name":"${company}","url":"https://status.${company}.example"},"incidents":[${incidents}]}`
}

/** A job board with the maximum number of positions, each with a long description. */
export function hostileBoard(positions: number, day: string): string {
  const content = 'We look for somebody who. '.repeat(100)
  const jobs = Array.from({ length: positions }, (_, n) => ({
    absolute_url: `https://boards.greenhouse.io/hurt/jobs/${n}`,
    title: `Head of Sales and Marketing, ${'Region '.repeat(30)} ${n}`,
    departments: [{ name: `Department ${n % 400}` }],
    location: { name: `Remote - Springfield, ${'Greater '.repeat(30)} Germany ${n}` },
    first_published: `${day}T00:00:00Z`,
    content: `${content}\u0000`,
  }))
  return JSON.stringify({ jobs, meta: { total: positions } })
}

/** Each function builds markup of about n pieces that is slow in naive parsers or patterns. */
export const HOSTILE_PAGES: Record<string, (n: number) => string> = {
  'one character': (n) => 'a'.repeat(n * 100),
  commas: (n) => ','.repeat(n * 10),
  blanks: (n) => `<p>${' '.repeat(n * 10)}x</p>`,
  'nested tags': (n) => '<div>'.repeat(n),
  'nested tags, closed wrongly': (n) => '<b>'.repeat(n) + '</i>'.repeat(n),
  'nested lists': (n) => '<ul><li>'.repeat(n / 2) + '<p>'.repeat(n / 2),
  'nested tables': (n) => '<table><tr><td>'.repeat(n / 3),
  'nested share boxes': (n) => '<div class="share">'.repeat(n),
  'open angle brackets': (n) => '<'.repeat(n * 10),
  attributes: (n) => `<a ${'x=1 '.repeat(n)}>`,
  entities: (n) => '&amp;&#0;&#x110000;&bogus;'.repeat(n / 4),
  headings: (n) => '<h2>What our customers say</h2>'.repeat(n / 4),
  'many names': (n) => '<p>Ada Pike</p>'.repeat(n / 2),
  'many cards': (n) =>
    Array.from(
      { length: n / 4 },
      (_, i) => `<div><h3>Ada Pike${'abcdefghij'[i % 10]}</h3><p>Sales Manager</p></div>`,
    ).join(''),
  'many links': (n) => '<a href="/careers">Careers</a>'.repeat(n / 2),
  'deep JSON-LD': (n) => `<script type="application/ld+json">${'{"a":'.repeat(n)}1${'}'.repeat(n)}</script>`,
  'broken JSON-LD': (n) => `<script type="application/ld+json">[${',   '.repeat(n)}`,
  'long name': (n) => `<h3>${'Ada-'.repeat(n)}</h3><p>CEO</p>`,
  'tags named like what every object has': () =>
    '<constructor><tostring><b __proto__=1 constructor=2>x</b></constructor>',
  'long class': (n) => `<div class="${'share-'.repeat(n)}">x</div>`.repeat(3),
}
