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
  /** What companies had sent out over the wires. */
  releases?: readonly Release[]
  /** What public registers say was awarded. */
  awards?: readonly Award[]
  /** Notices of layoffs that states publish. */
  notices?: readonly LayoffNotice[]
  /** What the vendor of people data knows. */
  profiles?: readonly Profile[]
  /** How the mail servers of domains behave, as a vendor that checks addresses sees them. */
  mail?: readonly MailDomain[]
  /** Vendors, by name, that do not work as they should. */
  outages?: Readonly<Record<string, Outage>>
}

/** An error of the server, a refused key, a spent quota (in two ways), no JSON, JSON of another shape, too many requests, no answer at all, a closed connection, an error in place of a second page. */
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
  /** Products whose tags its pages carry. */
  technologies?: readonly string[]
  /** Name records of its domain beside the usual. */
  records?: { mx?: string; txt?: readonly string[] }
  github?: SandboxOrganisation
  status_page?: SandboxStatusPage
}

/** An organisation with a host of source code, which names `blog` as its site. */
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

/** A page that tells of outages; updates are in the order in which they were written. */
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

/** A press release as a wire carries it. */
export type Release = {
  id: string
  /** The company that speaks, as the wire writes it. */
  company: string
  title: string
  /** What the feed gives of it. */
  summary: string
  paragraphs: readonly string[]
  published: string
  /** What it is about; a wire files it under its own subjects. */
  signals: readonly string[]
  /** The site it gives for more; null when it gives none. */
  site: string | null
  /** Of two letters; English unless given. */
  language?: string
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
  /** The text of a press release that is filed with it. */
  exhibit?: string
  /** What the filer does, by the regulator's list of industries. */
  industry?: string
  /** What a notice of an offering (Form D) is about; amounts in dollars. */
  officers?: readonly { first: string; last: string; roles: readonly string[]; clarification?: string }[]
  offering?: { sold: number; offered: number | null; first_sale: string | null; industry: string }
}

/** A contract or a grant as a public register has it. */
export type Award = {
  by: 'usaspending' | 'ted' | 'nih-reporter'
  /** Its number in the register. */
  id: string
  /** As the register writes it. */
  recipient: string
  /** Others who won by the same notice. */
  others?: readonly string[]
  amount: number
  agency: string
  day: string
  description: string
  /** Of the buyer, by its code of three letters. */
  country?: string
  /** What the register knows of the recipient. */
  site?: string
  street?: string
  /** A further year of an award that is known (NIH type 5). */
  isContinued?: boolean
}

export type LayoffNotice = {
  state: 'TX' | 'OR' | 'IN' | 'TN' | 'WA'
  /** As the list writes it. */
  company: string
  /** A city, or a county in Tennessee. */
  place: string
  people: number
  noticed: string
  starts: string
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

export type MailDomain = {
  domain: string
  behaviour: MailBehaviour
  users: readonly string[]
  records?: SandboxCompany['records']
}
