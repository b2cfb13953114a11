import type { SerializedList } from '../json/serialized-list.ts'
import type { JobLevel } from '../titles/index.ts'

/** Somebody a source shows at a company; what it does not say is absent. */
export type FoundPerson = {
  full_name: string
  title?: string
  headline?: string
  network_url?: string
  /** An address the source gives for this person; nobody has checked it. */
  email?: string
  /** A number as the source writes it, and the page that shows it. */
  phone?: string
  phone_url?: string
  location?: string
  country_code?: string
  connections_count?: number
  profile_picture_url?: string
  /** The page that shows them. */
  url?: string
  /** The company's own page that lists them. */
  shown_url?: string
  /** The day, `YYYY-MM-DD`, since which the source shows them gone. */
  left_on?: string
}

/** What one source brought. */
export type SourceRoster = {
  source: string
  /** The company itself speaks. */
  own: boolean
  /** A title of this source that says less than any other. */
  generic?: string
  people: SerializedList<FoundPerson>
}

/** Somebody of an account, as far as a roster has to recognise them. */
export type KnownPerson = {
  id: string
  identity: string
  full_name: string
  title: string | null
  network_url: string | null
  left_on: string | null
  published_email: string | null
  shown_url: string | null
  shown_title: string | null
}

/** Somebody of a roster, as they are stored. */
export type RosterPerson = {
  full_name: string
  title: string | null
  headline: string | null
  network_url: string | null
  given_email: string | null
  published_email: string | null
  published_url: string | null
  found_phone: string | null
  found_phone_source: string | null
  found_phone_url: string | null
  location: string | null
  country_code: string | null
  connections_count: number | null
  profile_picture_url: string | null
  job_level: JobLevel | null
  ranking: number | null
  left_on: string | null
  shown_url: string | null
  shown_title: string | null
}

/** The company of a roster, as far as addresses and numbers are read by it. */
export type RosterCompany = { domain: string | null; country_code: string | null }

/** Somebody of a roster while it is made. */
export type RosterEntry = {
  person: RosterPerson
  name: string
  page: string | null
  /** The title as titles are compared for being the same. */
  folded: string
  isGeneric: boolean
  isOwn: boolean
  sources: Set<string>
  /** Who showed them first, and on which page. */
  found: { source: string; url: string | null }
}
