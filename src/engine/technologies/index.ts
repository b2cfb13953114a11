// Which products a company uses, as its own pages and its name records show. A product counts only by what its vendor alone
// serves or asks for: that a text names one says nothing.
import { getDomainWithoutSuffix } from 'tldts'
import products from './products.json' with { type: 'json' }

/** A product that was seen, and by what. Both are words of ours: nothing of the page is kept. */
export type DetectedTechnology = { name: string; evidence: string }

/** One place that was looked at, with or without something seen there: a page, or the name records of a domain. */
export type TechnologySnapshot = { place: string; url: string | null; seen: DetectedTechnology[] }

type Category = keyof typeof products

/** A product and the signs of it. What others serve from these addresses is nobody's but its vendor's. */
type Product = {
  name: string
  category: Category
  /** Hosts that a page loads from, with a path where the host serves more than the product; `*.` is any below. A path alone is one on the site's own host. */
  loads?: readonly string[]
  /** How the page's generator begins. */
  generator?: string
  /** An attribute of the page's root element. */
  attribute?: string
  /** Names of response headers, or `name: how its value begins`. */
  headers?: readonly string[]
  /** How the names of cookies begin that come with a page. */
  cookies?: readonly string[]
  /** Mail servers, and names that SPF records include: these, and any below. */
  mx?: readonly string[]
  spf?: readonly string[]
  /** How TXT records begin. */
  txt?: readonly string[]
}

const BY_CATEGORY: Record<Category, readonly Omit<Product, 'category'>[]> = products
const PRODUCTS = Object.entries(BY_CATEGORY).flatMap(([category, some]) =>
  some.map(({ name, ...signs }): Product => ({ name, category: category as Category, ...signs })),
)
/** Nobody pays to begin with one of these; a film is embedded by anybody, also from somebody else's channel. */
const NOT_BOUGHT = new Set<Category>([
  'video',
  'web analytics',
  'advertising',
  'tag manager',
  'framework',
  'cdn and hosting',
])
/** A page has one of them at a time: where one comes as another goes, it takes its place. */
const ONE_ONLY = new Set<Category>(['support and chat', 'a/b testing', 'consent', 'cms', 'commerce'])
/** Scripts and styles alone show it: a picture or a frame of it may be somebody else's. */
const CODE_ONLY = new Set<Category>(['cms', 'commerce', 'payments and billing'])
const BY_NAME = new Map(PRODUCTS.map((product) => [product.name, product]))

type Loaded = { product: Product; path: string; sign: string }
const ON_HOSTS = new Map<string, Loaded[]>()
const BELOW_HOSTS = new Map<string, Loaded[]>()
const ON_OWN_PATHS: { product: Product; path: string }[] = []
for (const product of PRODUCTS) {
  for (const sign of product.loads ?? []) {
    const [host = '', ...path] = sign.split('/')
    if (host === '') ON_OWN_PATHS.push({ product, path: sign })
    else
      add(host.startsWith('*.') ? BELOW_HOSTS : ON_HOSTS, host.replace('*.', ''), {
        product,
        path: `/${path.join('/')}`,
        sign,
      })
  }
}

function add(map: Map<string, Loaded[]>, host: string, loaded: Loaded): void {
  map.set(host, [...(map.get(host) ?? []), loaded])
}

/** Where a page has browsers load from: `isOwn` from the site itself, `isCode` a script or a stylesheet. */
export type PageResource = { host: string; path: string; isOwn: boolean; isCode: boolean }

/** What the source of a page holds that may tell of products. */
export type TechnologyHints = {
  loads: PageResource[]
  generators: string[]
  /** Attributes of its root element. */
  attributes: string[]
}

export function detectTechnologies({ loads, generators, attributes }: TechnologyHints): DetectedTechnology[] {
  const seen = new DetectedTechnologies()
  for (const load of loads) seen.loaded(load)
  for (const product of PRODUCTS) {
    const { attribute, generator } = product
    if (attribute && attributes.includes(attribute)) seen.add(product, `Attribute ${attribute}`)
    if (generator && generators.some((made) => made.startsWith(generator))) seen.add(product, `Generator ${generator}`)
  }
  return seen.all()
}

/** What the headers of an answer show, its cookies among them. */
export function detectTechnologiesInHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): DetectedTechnology[] {
  const seen = new DetectedTechnologies()
  const cookies = [headers['set-cookie'] ?? []].flat()
  for (const product of PRODUCTS) {
    for (const sign of product.headers ?? []) {
      const [name = '', value = ''] = sign.split(': ', 2)
      if ([headers[name] ?? []].flat().some((given) => given.startsWith(value))) {
        seen.add(product, `Response header ${sign}`)
      }
    }
    for (const sign of product.cookies ?? []) {
      if (cookies.some((cookie) => cookie.startsWith(sign))) seen.add(product, `Cookie ${sign}`)
    }
  }
  return seen.all()
}

/** What the name records of a company's domain show: where its mail goes, who may send it, and to whom it has proven itself. */
export function detectTechnologiesInDns({
  mx,
  txt,
}: {
  mx: readonly string[]
  txt: readonly string[]
}): DetectedTechnology[] {
  const seen = new DetectedTechnologies()
  const spf = txt.filter((record) => /^v=spf1\s/i.test(record)).flatMap((record) => record.split(/\s+/))
  const senders = spf.flatMap((part) => /^\+?(?:include:|redirect=)(.+)$/i.exec(part)?.[1]?.toLowerCase() ?? [])
  const isBelow = (host: string) => (name: string) => name === host || name.endsWith(`.${host}`)
  for (const product of PRODUCTS) {
    for (const host of product.mx ?? []) if (mx.some(isBelow(host))) seen.add(product, `MX record ${host}`)
    for (const host of product.spf ?? []) if (senders.some(isBelow(host))) seen.add(product, `SPF record ${host}`)
    for (const sign of product.txt ?? []) {
      if (txt.some((record) => record.startsWith(sign))) seen.add(product, `TXT record ${sign.replace(/[=:]$/, '')}`)
    }
  }
  return seen.all()
}

/** What was seen, without what the company makes itself: a vendor's pages run on its own products. */
export function excludeOwnProducts(seen: readonly DetectedTechnology[], domain: string): DetectedTechnology[] {
  const own = (getDomainWithoutSuffix(domain) ?? domain).toLowerCase()
  return seen.filter(({ name }) => {
    const folded = name.toLowerCase()
    const [first = ''] = folded.split(/[\s.]/, 1)
    return first !== own && folded.replaceAll(/[^a-z0-9]/g, '') !== own.replaceAll('-', '')
  })
}

/** Null for a product that is no longer in the table. */
export function technologyCategory(name: string): Category | null {
  return BY_NAME.get(name)?.category ?? null
}

/** Whether to begin with it is a decision that somebody paid for. */
export function isPaidProduct(name: string): boolean {
  const category = technologyCategory(name)
  return category !== null && !NOT_BOUGHT.has(category)
}

/** Whether one takes the place of the other where it comes as the other goes. */
export function areMutuallyExclusive(name: string, other: string): boolean {
  const category = technologyCategory(name)
  return category !== null && category === technologyCategory(other) && ONE_ONLY.has(category)
}

/** FNV-1a: it has to tell one set of signs from another, and nothing more. */
function signsOf(product: Product): number {
  let hash = 0x811c9dc5
  for (const char of JSON.stringify(product)) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193)
  return hash
}
const SIGNS = new Map(PRODUCTS.map((product) => [product.name, signsOf(product)]))

/** What is looked for now, as a number for each product and its signs. */
export const signatureHashes = (): number[] => [...SIGNS.values()]

/** Whether a look for these would have found a product just as one of now does. */
export function wasDetectable(name: string, signs: readonly number[]): boolean {
  const own = SIGNS.get(name)
  return own !== undefined && signs.includes(own)
}

/** Products in the order in which they were seen, each by its first sign. */
class DetectedTechnologies {
  readonly #seen = new Map<string, DetectedTechnology>()

  add({ name }: Product, evidence: string): void {
    if (!this.#seen.has(name)) this.#seen.set(name, { name, evidence })
  }

  loaded(load: PageResource): void {
    const { host, path, isOwn } = load
    for (const found of ON_HOSTS.get(host) ?? []) this.#loadedFrom(found, load)
    const labels = host.split('.')
    for (let at = 1; at < labels.length - 1; at++) {
      for (const found of BELOW_HOSTS.get(labels.slice(at).join('.')) ?? []) this.#loadedFrom(found, load)
    }
    // On other hosts a path alone tells nothing.
    if (!isOwn) return
    for (const sign of ON_OWN_PATHS) if (path.includes(sign.path)) this.#addLoaded(sign.product, sign.path, load)
  }

  all(): DetectedTechnology[] {
    return [...this.#seen.values()]
  }

  #loadedFrom({ product, path, sign }: Loaded, load: PageResource): void {
    if (load.path.startsWith(path)) this.#addLoaded(product, sign, load)
  }

  #addLoaded(product: Product, sign: string, { isCode }: PageResource): void {
    if (isCode || !CODE_ONLY.has(product.category)) this.add(product, `Loads ${sign}`)
  }
}
