import type { SerializedList } from '../json/serialized-list.ts'
import type { JobLevel } from '../titles/index.ts'

/** A person that a source shows at a company; unknown fields are absent. */
export type FoundPerson = {
  full_name: string
  title?: string
  headline?: string
  network_url?: string
  /** The email from the source, not verified. */
  email?: string
  /** The phone number as the source writes it, and the page that shows it. */
  phone?: string
  phone_url?: string
  location?: string
  country_code?: string
  connections_count?: number
  profile_picture_url?: string
  url?: string
  /** The company's own page that shows the person. */
  shown_url?: string
  /** The date, `YYYY-MM-DD`, since which the person has left according to the source. */
  left_on?: string
}

/** The people of one source. */
export type SourceRoster = {
  source: string
  /** The source is the company's own site. */
  own: boolean
  /** A title that this source uses when it does not know the specific one. */
  generic?: string
  people: SerializedList<FoundPerson>
}

/** A person of the account, with the fields by which a roster is matched. */
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

/** A person of a roster, as stored. */
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

/** The company's fields that are needed to check emails and parse phone numbers. */
export type RosterCompany = { domain: string | null; country_code: string | null }

/** A person of a roster while it is built. */
export type RosterEntry = {
  person: RosterPerson
  name: string
  page: string | null
  /** The folded title, for comparison. */
  folded: string
  isGeneric: boolean
  isOwn: boolean
  sources: Set<string>
  /** The first source that showed the person, and the page. */
  found: { source: string; url: string | null }
}
