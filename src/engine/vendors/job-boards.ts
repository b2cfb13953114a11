// Parses the responses of job boards. A board may list thousands of positions in many megabytes.

import type { RawDocument } from '../content/read.ts'
import { findCountryCode } from '../countries.ts'
import { readXmlRecords } from '../feed/xml-records.ts'
import { dateAt, listAt, numberAt, textAt, urlAt, valueAt } from '../json/fields.ts'
import { boardUrl, type JobBoard } from '../page/links.ts'
import { commonCountry, parseLocation } from '../places/index.ts'
import { decodeText } from '../text/decode.ts'
import { cutText, tryParseJson } from '../text/storable.ts'
import { webLink } from '../text/web-address.ts'

/** One open position. The job description is not requested, because it is unused and most of a board's size. */
export type JobPosting = {
  url: string
  title: string
  department: string | null
  location: string | null
  country_code: string | null
  published_date: string | null
}

/** More open positions than almost every company has; more would only cost memory. */
export const MAX_POSTINGS = 3_000

/** Titles, departments and locations are short; a longer value is truncated. */
const MAX_LINE_CHARS = 300

/** `today`: for vendors that publish ages instead of dates. */
export type JobBoardTask = RawDocument & { vendor: JobBoard['vendor']; token: string; today: string }

/**
 * One response of a board: at most MAX_POSTINGS positions, how many the response contains, and the total it reports.
 */
export type JobBoardResult =
  | { outcome: 'read'; postings: JobPosting[]; given: number; total: number | null }
  | { outcome: 'no-json' }
  | { outcome: 'misshapen' }

export function parseJobBoard({ body, contentType, vendor, token, today }: JobBoardTask): JobBoardResult {
  const { list, isXml = false, read, isListed = () => true, total } = VENDORS[vendor]
  const text = decodeText(body, contentType)
  const answer = isXml ? null : tryParseJson(text)
  if (answer === undefined) return { outcome: 'no-json' }
  const all = isXml ? readXmlRecords(text, list) : listAt(answer, ...list)
  if (!all) return { outcome: 'misshapen' }
  const jobs = all.filter(isListed)
  const postings = jobs.slice(0, MAX_POSTINGS).flatMap((job) => toPosting(read(job, token, today)))
  return { outcome: 'read', postings, given: jobs.length, total: total ? numberAt(answer, total) : null }
}

type Read = { [K in keyof JobPosting]: JobPosting[K] | null }

/** A posting of a vendor; postings without a title or URL are dropped. */
function toPosting(read: Read): JobPosting[] {
  const { url, title, department, location } = read
  if (!url || !title) return []
  return [
    {
      ...read,
      url,
      title: cutText(title, MAX_LINE_CHARS),
      department: department && cutText(department, MAX_LINE_CHARS),
      location: location && cutText(location, MAX_LINE_CHARS),
    },
  ]
}

/** Joins the known parts of a location. */
function joinLocation(...parts: (string | null)[]): string | null {
  return [...new Set(parts.filter((part) => part !== null))].join(', ') || null
}

const countryCode = (country: string | null) => (country ? findCountryCode(cutText(country, MAX_LINE_CHARS)) : null)
const countryOfLocation = (location: string | null) =>
  commonCountry(parseLocation(location && cutText(location, MAX_LINE_CHARS)))

type Vendor = {
  /** Path of the list of positions, of the positions in XML; empty if the response is the list. */
  list: string[]
  isXml?: true
  read: (job: unknown, token: string, today: string) => Read
  /** Whether the company advertises it. */
  isListed?: (job: unknown) => boolean
  /** Field with the total number of positions. */
  total?: string
}

const VENDORS: Record<JobBoard['vendor'], Vendor> = {
  ashby: {
    list: ['jobs'],
    // An unlisted posting is reachable by its link only: the company does not advertise it.
    isListed: (job) => valueAt(job, 'isListed') !== false,
    read(job) {
      const location = textAt(job, 'location')
      const country = textAt(job, 'address', 'postalAddress', 'addressCountry')
      return {
        url: urlAt(job, 'jobUrl'),
        title: textAt(job, 'title'),
        department: textAt(job, 'department') ?? textAt(job, 'team'),
        location,
        country_code: countryCode(country) ?? countryOfLocation(location),
        published_date: dateAt(job, 'publishedAt'),
      }
    },
  },
  greenhouse: {
    list: ['jobs'],
    read(job) {
      const location = textAt(job, 'location', 'name')
      return {
        url: urlAt(job, 'absolute_url'),
        title: textAt(job, 'title'),
        department: textAt(listAt(job, 'departments')?.[0], 'name'),
        location,
        country_code: countryOfLocation(location),
        // `updated_at` changes with every edit, so it is not the day of publication.
        published_date: dateAt(job, 'first_published'),
      }
    },
  },
  lever: {
    list: [],
    read(job) {
      const location = textAt(job, 'categories', 'location')
      return {
        url: urlAt(job, 'hostedUrl'),
        title: textAt(job, 'text'),
        department: textAt(job, 'categories', 'department') ?? textAt(job, 'categories', 'team'),
        location,
        country_code: countryCode(textAt(job, 'country')) ?? countryOfLocation(location),
        published_date: dateAt(job, 'createdAt'),
      }
    },
  },
  personio: {
    list: ['workzag-jobs', 'position'],
    isXml: true,
    read(job, token) {
      const id = textAt(job, 'id')
      const location = textAt(job, 'office')
      return {
        url: id && `${boardUrl('personio', token)}job/${encodeURIComponent(id)}`,
        title: textAt(job, 'name'),
        department: textAt(job, 'department') ?? textAt(job, 'recruitingCategory'),
        location,
        country_code: countryOfLocation(location),
        published_date: dateAt(job, 'createdAt'),
      }
    },
  },
  recruitee: {
    list: ['offers'],
    isListed: (offer) => (textAt(offer, 'status') ?? 'published') === 'published',
    read(offer) {
      const country = textAt(offer, 'country')
      return {
        url: urlAt(offer, 'careers_url'),
        title: textAt(offer, 'title'),
        department: textAt(offer, 'department'),
        location: joinLocation(textAt(offer, 'city'), country) ?? textAt(offer, 'location'),
        country_code: countryCode(textAt(offer, 'country_code')) ?? countryCode(country),
        published_date: dateAt(offer, 'published_at'),
      }
    },
  },
  smartrecruiters: {
    list: ['content'],
    total: 'totalFound',
    read(job, token) {
      const id = textAt(job, 'id')
      const code = countryCode(textAt(job, 'location', 'country'))
      const remote = valueAt(job, 'location', 'remote') === true ? 'Remote' : null
      return {
        url: id && `https://jobs.smartrecruiters.com/${encodeURIComponent(token)}/${encodeURIComponent(id)}`,
        title: textAt(job, 'name'),
        department: textAt(job, 'department', 'label') ?? textAt(job, 'function', 'label'),
        location: joinLocation(textAt(job, 'location', 'city'), textAt(job, 'location', 'region'), code, remote),
        country_code: code,
        published_date: dateAt(job, 'releasedDate'),
      }
    },
  },
  workable: {
    list: ['jobs'],
    read(job) {
      const country = textAt(job, 'country')
      return {
        url: urlAt(job, 'url') ?? urlAt(job, 'shortlink'),
        title: textAt(job, 'title'),
        department: textAt(job, 'department'),
        location: joinLocation(textAt(job, 'city'), textAt(job, 'state'), country),
        country_code: countryCode(country),
        published_date: dateAt(job, 'published_on'),
      }
    },
  },
  teamtailor: {
    list: ['rss', 'channel', 'item'],
    isXml: true,
    read(job) {
      // The first of several places.
      const place = (field: string) => textAt(job, 'tt:locations', 'tt:location', field)
      const country = place('tt:country')
      return {
        url: urlAt(job, 'link'),
        title: textAt(job, 'title'),
        department: textAt(job, 'tt:department'),
        location: joinLocation(place('tt:city') ?? place('tt:name'), country),
        country_code: countryCode(country) ?? countryOfLocation(place('tt:name')),
        published_date: dateAt(job, 'pubDate'),
      }
    },
  },
  workday: {
    list: ['jobPostings'],
    total: 'total',
    read(job, token, today) {
      const path = textAt(job, 'externalPath')
      const written = textAt(job, 'locationsText')
      // Of a position in several places, the list shows only their number.
      const location = written && /^\d+ locations$/i.test(written) ? null : written
      return {
        url: path?.startsWith('/') ? webLink(`${boardUrl('workday', token)}${path}`) : null,
        title: textAt(job, 'title'),
        department: null,
        location,
        country_code: countryOfLocation(location),
        published_date: dayOfAge(textAt(job, 'postedOn'), today),
      }
    },
  },
}

/** "Posted 3 Days Ago"; null for "Posted 30+ Days Ago", which may be years. */
function dayOfAge(written: string | null, today: string): string | null {
  const [, word = ''] = /^posted (today|yesterday|\d{1,2}(?= days? ago$))/i.exec(written ?? '') ?? []
  if (word === '') return null
  const days = { today: 0, yesterday: 1 }[word.toLowerCase()] ?? Number(word)
  return new Date(Date.parse(today) - days * 86_400_000).toISOString().slice(0, 10)
}
