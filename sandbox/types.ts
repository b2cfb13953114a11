/** A request as the sandbox internet sees it, after TLS. */
export type SandboxRequest = { method: string; url: URL; headers: Record<string, string>; body: string }
export type SandboxAnswer = { status: number; headers?: Record<string, string>; body?: string }

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
}

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
  job_board: { vendor: JobBoardVendor; token: string; postings: readonly SandboxPosting[] } | null
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
}

/** A story on a news site, told of by Hacker News and GDELT. */
export type Story = {
  id: string
  url: string
  title: string
  text: string
  published: string
  points: number
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
}
