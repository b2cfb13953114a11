import type { JobBoard } from '../src/engine/page/links.ts'

/** A request to the sandbox, after TLS. */
export type SandboxRequest = { method: string; url: URL; headers: Record<string, string>; body: string }
export type SandboxResponse = {
  status: number
  headers?: Record<string, string>
  body?: string | Uint8Array
  /** Instead of a body: pieces of a response that stays open until the client closes the connection. */
  pieces?: () => AsyncIterable<string>
}

/** A vendor's API at its real host names, serving the data of the world. A host may begin with `*.`. */
export type Vendor = {
  name: string
  hosts: readonly string[]
  answer: (request: SandboxRequest, world: World) => SandboxResponse | Promise<SandboxResponse>
}

/** The data of the invented internet. Dates are `YYYY-MM-DD`, relative to the world's today. */
export type World = {
  today: string
  companies: readonly SandboxCompany[]
  stories: readonly Story[]
  filings: readonly Filing[]
  /** Press releases on the wires. */
  releases?: readonly Release[]
  /** Awards in public registers. */
  awards?: readonly Award[]
  /** Layoff notices published by states. */
  notices?: readonly LayoffNotice[]
  /** Companies in public registers, among them namesakes. */
  registered?: readonly RegisteredCompany[]
  /** Filings at Companies House, in the order of their timepoints. */
  register_filings?: readonly RegisterFiling[]
  /** Records of the people data vendor. */
  profiles?: readonly Profile[]
  /** The behaviour of mail servers by domain, as the email verification vendor sees it. */
  mail?: readonly MailDomain[]
  /** Outages of vendors, by name. */
  outages?: Readonly<Record<string, Outage>>
  /** The robots.txt of vendors, by name; one that has none here allows everything. */
  robots?: Readonly<Record<string, string>>
}

/**
 * A server error, a rejected key, an exhausted quota (in two forms), no JSON, JSON in another format, too many
 * requests, no response, a closed connection, an error on the second page.
 */
export type Outage =
  | 'error'
  | 'refused'
  | 'spent'
  | 'limited'
  | 'garbage'
  | 'misshapen'
  | 'busy'
  | 'stall'
  | 'drop'
  | 'paging'

export type JobBoardVendor = JobBoard['vendor']

export type SandboxCompany = {
  name: string
  domain: string
  industry: string
  country: string
  country_code: string
  city: string
  employees: number
  founded_year: number
  description: string
  job_board: {
    vendor: JobBoardVendor
    token: string
    /** The vendor's European instance, if it has one. */
    region?: 'eu'
    postings: readonly SandboxPosting[]
  } | null
  /** The Wikidata facts; null without an entry. */
  wikidata: { id: string; employees: number | null } | null
  cik: number | null
  /** Technologies whose tags are on its pages. */
  technologies?: readonly string[]
  /** DNS records of its domain in addition to the defaults. */
  records?: { mx?: string; txt?: readonly string[] }
  github?: SandboxOrganisation
  status_page?: SandboxStatusPage
}

/** An organisation on GitHub, whose profile links to `blog`. */
export type SandboxOrganisation = {
  login: string
  name: string
  blog: string
  repositories: readonly {
    name: string
    description: string | null
    created: string
    pushed: string
    stars: number
    fork?: boolean
    archived?: boolean
    releases: readonly { tag: string; title: string; body: string; published: string; prerelease?: boolean }[]
  }[]
}

/** A status page; updates are in chronological order. */
export type SandboxStatusPage = {
  host: string
  name: string
  incidents: readonly {
    id: string
    name: string
    impact: 'none' | 'minor' | 'major' | 'critical'
    created: string
    updates: readonly string[]
  }[]
}

export type SandboxPosting = {
  id: string
  title: string
  department: string
  city: string
  country_code: string
  published: string
  text: string
  /** Unlisted or closed: on the board, but not shown. */
  unlisted?: boolean
}

/** A story on a news site, listed by Hacker News and GDELT. */
export type Story = {
  id: string
  url: string
  title: string
  text: string
  published: string
  points: number
  /** The domain of the company it is about. */
  about: string
  /** The organisations that GDELT lists for it; the company unless given. */
  organisations?: readonly string[]
  /** How many sites report it, according to GDELT. */
  outlets?: number
  /** The period of GDELT's files, as YYYYMMDDHHMMSS: noon of its day unless given, the newest for a story of today. */
  period?: string
}

/** A press release on a wire. */
export type Release = {
  id: string
  /** The issuing company, as the wire spells it. */
  company: string
  title: string
  /** The excerpt in the feed. */
  summary: string
  paragraphs: readonly string[]
  published: string
  /** Its signals; a wire maps them to its subjects. */
  signals: readonly string[]
  /** The website it links to; null without one. */
  site: string | null
  /** ISO 639-1 code; English by default. */
  language?: string
}

/** An SEC filing. */
export type Filing = {
  cik: number
  company: string
  form: string
  accession: string
  filed: string
  document: string
  text: string
  /** The text of a press release that is filed as an exhibit. */
  exhibit?: string
  /** The SIC code of the filer. */
  industry?: string
  /** The offering in a Form D; amounts in dollars. */
  officers?: readonly { first: string; last: string; roles: readonly string[]; clarification?: string }[]
  offering?: { sold: number; offered: number | null; first_sale: string | null; industry: string }
}

export type RegisteredCompany = {
  legal_name: string
  /** Its Legal Entity Identifier; without one, GLEIF does not have it. */
  lei?: string
  /** Its number in the register of its country; in the United Kingdom, that of Companies House. */
  number: string
  former_names?: readonly string[]
  trading_names?: readonly string[]
  country_code: string
  street: string
  city: string
  postal_code: string
  /** It no longer exists. */
  isDissolved?: boolean
  /** The number of the company that owns all its shares. */
  parent?: string
}

export type RegisterFiling = {
  timepoint: number
  /** The number of the company. */
  company: string
  id: string
  category: string
  type: string
  description: string
  values?: Readonly<Record<string, string>>
  day: string
}

/** A contract or a grant in a public register. */
export type Award = {
  by: 'usaspending' | 'ted' | 'nih-reporter'
  /** Its number in the register. */
  id: string
  /** As the register spells it. */
  recipient: string
  /** Other winners in the same notice. */
  others?: readonly string[]
  amount: number
  agency: string
  day: string
  description: string
  /** The buyer's country as a three-letter code. */
  country?: string
  /** What the register has about the recipient. */
  site?: string
  street?: string
  /** The next year of a running award (NIH type 5). */
  isContinued?: boolean
}

export type LayoffNotice = {
  state: 'TX' | 'OR' | 'IN' | 'TN' | 'WA'
  /** As the list spells it. */
  company: string
  /** A city, or a county in Tennessee. */
  place: string
  people: number
  noticed: string
  starts: string
}

/** A record of the people data vendor: names and titles in lower case, as the vendor spells them. */
export type Profile = {
  id: string
  full_name: string
  job_title: string | null
  job_company_website: string | null
  job_company_name?: string | null
  /** A day, a month or a year, depending on the profile. */
  job_start_date?: string | null
  linkedin_url?: string | null
  work_email?: string | boolean | null
  mobile_phone?: string | boolean | null
  location_country?: string | null
  experience?: readonly {
    company: { website: string }
    title: { name: string }
    start_date: string | null
    end_date: string | null
  }[]
}

export type MailBehaviour =
  /** Accepts its users and rejects all other recipients. */
  | 'users'
  | 'catch_all'
  /** Defers every recipient, once or forever. */
  | 'greylist_once'
  | 'greylist_forever'
  /** Sends a character now and then, and never a complete reply. */
  | 'tarpit'
  /** Has a mail server that cannot be reached. */
  | 'refusing'
  /** Declares that it accepts no mail (RFC 7505). */
  | 'no_mail'
  /** Rejects the sender, whatever the recipient. */
  | 'blocking'
  /** Accepts its users, and only under TLS. */
  | 'tls_only'

export type MailDomain = {
  domain: string
  behaviour: MailBehaviour
  users: readonly string[]
  records?: SandboxCompany['records']
}
