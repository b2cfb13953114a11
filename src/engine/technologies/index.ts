// Detects the products that a company uses from its pages and DNS records. Only traces that the vendor itself serves or
// requires count; a product's name in a text does not.
import { getDomainWithoutSuffix } from 'tldts'
import products from './products.json' with { type: 'json' }

/** A detected product and the evidence. Both come from products.json; nothing from the page is stored. */
export type DetectedTechnology = { name: string; evidence: string }

/** The products detected on one page or in the DNS records of a domain; may be empty. */
export type TechnologySnapshot = { place: string; url: string | null; seen: DetectedTechnology[] }

type Category = keyof typeof products

/** A product and its signs. The hosts serve nothing but the vendor's products. */
type Product = {
  name: string
  category: Category
  /**
   * Hosts that a page loads from, with a path where the host serves more than the product; `*.` matches any subdomain. A path
   * without a host is one on the site's own host.
   */
  loads?: readonly string[]
  /** Prefix of the page's generator. */
  generator?: string
  /** An attribute of the page's root element. */
  attribute?: string
  /** Names of response headers, or `name: prefix of the value`. */
  headers?: readonly string[]
  /** Prefixes of cookie names. */
  cookies?: readonly string[]
  /** Hosts of mail servers, and hosts that SPF records include; subdomains match, too. */
  mx?: readonly string[]
  spf?: readonly string[]
  /** Prefixes of TXT records. */
  txt?: readonly string[]
}

const BY_CATEGORY: Record<Category, readonly Omit<Product, 'category'>[]> = products
const PRODUCTS = Object.entries(BY_CATEGORY).flatMap(([category, some]) =>
  some.map(({ name, ...signs }): Product => ({ name, category: category as Category, ...signs })),
)
/** Categories whose first use is no purchase; videos are also embedded from channels of others. */
const NOT_BOUGHT = new Set<Category>([
  'video',
  'web analytics',
  'advertising',
  'tag manager',
  'framework',
  'cdn and hosting',
])
/** Categories of which a page has one product at a time, so that a new product replaces the old one. */
const ONE_ONLY = new Set<Category>(['support and chat', 'a/b testing', 'consent', 'cms', 'commerce'])
/** Categories that only scripts and stylesheets prove: an image or a frame may belong to another company. */
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

/** A resource that a page loads; `isOwn`: from the site itself, `isCode`: a script or a stylesheet. */
export type PageResource = { host: string; path: string; isOwn: boolean; isCode: boolean }

/** The parts of a page's source in which products are detected. */
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

/** Detects products in the headers of a response, including cookies. */
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

/** Detects products in DNS records: mail servers, permitted senders (SPF) and domain verification (TXT). */
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

/** Removes the company's own products, because a vendor's pages use them. */
export function excludeOwnProducts(seen: readonly DetectedTechnology[], domain: string): DetectedTechnology[] {
  const own = (getDomainWithoutSuffix(domain) ?? domain).toLowerCase()
  return seen.filter(({ name }) => {
    const folded = name.toLowerCase()
    const [first = ''] = folded.split(/[\s.]/, 1)
    return first !== own && folded.replaceAll(/[^a-z0-9]/g, '') !== own.replaceAll('-', '')
  })
}

/** Null for a product that is no longer in products.json. */
export function technologyCategory(name: string): Category | null {
  return BY_NAME.get(name)?.category ?? null
}

/** Whether starting to use the product is a purchase decision. */
export function isPaidProduct(name: string): boolean {
  const category = technologyCategory(name)
  return category !== null && !NOT_BOUGHT.has(category)
}

/** Whether one product replaces the other. */
export function areMutuallyExclusive(name: string, other: string): boolean {
  const category = technologyCategory(name)
  return category !== null && category === technologyCategory(other) && ONE_ONLY.has(category)
}

/** An FNV-1a hash of a product's signs, to recognise when they change. */
function signsOf(product: Product): number {
  let hash = 0x811c9dc5
  for (const char of JSON.stringify(product)) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193)
  return hash
}
const SIGNS = new Map(PRODUCTS.map((product) => [product.name, signsOf(product)]))

/** The hashes of the current signs of all products. */
export const signatureHashes = (): number[] => [...SIGNS.values()]

/** Whether a snapshot taken with these signatures would have detected the product as now. */
export function wasDetectable(name: string, signs: readonly number[]): boolean {
  const own = SIGNS.get(name)
  return own !== undefined && signs.includes(own)
}

/** Products in the order of detection, each with its first evidence. */
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
    // On other hosts a path alone proves nothing.
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
