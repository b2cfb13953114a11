/** A request as the sandbox internet sees it, after TLS. */
export type SandboxRequest = { method: string; url: URL; headers: Record<string, string>; body: string }
export type SandboxAnswer = { status: number; headers?: Record<string, string>; body?: string | Uint8Array }

/** A third party's API on its real host names, answering from what the world holds. A host may begin with `*.`. */
export type Vendor = {
  name: string
  hosts: readonly string[]
  answer: (request: SandboxRequest, world: World) => SandboxAnswer | Promise<SandboxAnswer>
}

/** Everything the invented internet holds. Dates are `YYYY-MM-DD`, already worked out from the world's today. */
export type World = {
  today: string
  companies: readonly SandboxCompany[]
  stories: readonly Story[]
  filings: readonly Filing[]
  /** What the vendor of people data knows. */
  profiles?: readonly Profile[]
  /** How the mail servers of domains behave, as a vendor that checks addresses sees them. */
  mail?: readonly MailDomain[]
  /** Vendors, by name, that do not work as they should. */
  outages?: Readonly<Record<string, Outage>>
}

/** An error of the server, a refused key, a spent quota, no JSON, JSON of another shape, too many requests, no answer at all, a closed connection, an error in place of a second page. */
export type Outage = 'error' | 'refused' | 'spent' | 'garbage' | 'misshapen' | 'busy' | 'stall' | 'drop' | 'paging'

export type JobBoardVendor = 'greenhouse' | 'lever' | 'ashby' | 'smartrecruiters' | 'workable' | 'recruitee'

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
    /** The vendor's European instance, where there is one. */
    region?: 'eu'
    postings: readonly SandboxPosting[]
  } | null
  /** What the encyclopedia knows of it; null when it has no entry. */
  wikidata: { id: string; employees: number | null } | null
  cik: number | null
}

export type SandboxPosting = {
  id: string
  title: string
  department: string
  city: string
  country_code: string
  published: string
  text: string
  /** Reached by its link only, or closed: the board has it, and does not show it. */
  unlisted?: boolean
}

/** A story on a news site, told of by Hacker News and GDELT. */
export type Story = {
  id: string
  url: string
  title: string
  text: string
  published: string
  points: number
  /** The domain of the company it is about. */
  about: string
}

/** A filing with the regulator. */
export type Filing = {
  cik: number
  company: string
  form: string
  accession: string
  filed: string
  document: string
  text: string
  /** What a notice of an offering (Form D) is about; amounts in dollars. */
  officers?: readonly { first: string; last: string; roles: readonly string[]; clarification?: string }[]
  offering?: { sold: number; offered: number | null; first_sale: string | null; industry: string }
}

/** Somebody as a vendor of people data knows them: names and titles in lower case, as it writes them. */
export type Profile = {
  id: string
  full_name: string
  job_title: string | null
  job_company_website: string | null
  job_company_name?: string | null
  /** A day, a month or a year, as the profile says it. */
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
  /** Knows its users and refuses everybody else. */
  | 'users'
  | 'catch_all'
  /** Asks everybody to come back, once or for ever. */
  | 'greylist_once'
  | 'greylist_forever'
  /** Answers a character now and then, and never to the end. */
  | 'tarpit'
  /** Has a mail server that cannot be reached. */
  | 'refusing'
  /** Says that it takes no mail (RFC 7505). */
  | 'no_mail'
  /** Refuses us, whomever we ask for. */
  | 'blocking'
  /** Knows its users, and speaks of them only under TLS. */
  | 'tls_only'

export type MailDomain = { domain: string; behaviour: MailBehaviour; users: readonly string[] }
