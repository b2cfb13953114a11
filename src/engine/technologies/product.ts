/** What products of a kind tell. */
type Kind = {
  /** Beginning to use one is a decision somebody paid for. */
  isBought: boolean
  /** A page has one of them at a time: where one comes as another goes, it takes its place. */
  isOneOnly?: boolean
  /** Scripts and styles alone show it: a picture or a frame of it may be somebody else's. */
  isCodeOnly?: boolean
}

/** What a product is for. */
const CATEGORIES = {
  'crm and marketing': { isBought: true },
  'email marketing': { isBought: true },
  'support and chat': { isBought: true, isOneOnly: true },
  'sales tools': { isBought: true },
  'customer data': { isBought: true },
  'product analytics': { isBought: true },
  'session replay': { isBought: true },
  'a/b testing': { isBought: true, isOneOnly: true },
  monitoring: { isBought: true },
  consent: { isBought: true, isOneOnly: true },
  cms: { isBought: true, isOneOnly: true, isCodeOnly: true },
  commerce: { isBought: true, isOneOnly: true, isCodeOnly: true },
  'payments and billing': { isBought: true, isCodeOnly: true },
  search: { isBought: true },
  identity: { isBought: true },
  // A film is embedded by anybody, also from somebody else's channel.
  video: { isBought: false },
  'web analytics': { isBought: false },
  advertising: { isBought: false },
  'tag manager': { isBought: false },
  framework: { isBought: false },
  'cdn and hosting': { isBought: false },
  mail: { isBought: true },
  'mail security': { isBought: true },
  'mail delivery': { isBought: true },
  'office and collaboration': { isBought: true },
  security: { isBought: true },
  development: { isBought: true },
} satisfies Record<string, Kind>

type Category = keyof typeof CATEGORIES

export function kindOf(category: Category): Kind {
  return CATEGORIES[category]
}

/** A product and the signs of it. What others serve from these addresses is nobody's but its vendor's. */
export type Product = {
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
