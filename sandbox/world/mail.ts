import type { MailBehaviour, MailDomain, Profile } from '../types.ts'
import { emailOf } from './people.ts'
import type { SiteCompany } from './types.ts'

/** Most mail servers verify recipients; each of the others fails to in a different way. */
const BEHAVIOURS: readonly MailBehaviour[] = [
  'users',
  'greylist_once',
  'catch_all',
  'users',
  'tls_only',
  'refusing',
  'users',
  'greylist_forever',
  'users',
  'blocking',
  'users',
  'no_mail',
]

/**
 * The mail servers of the companies. Every fifth person has no mailbox, and some mailboxes belong to no person on the
 * site.
 */
export function mailOf(companies: readonly SiteCompany[]): MailDomain[] {
  return companies.map(({ domain, people, records }, at) => ({
    domain,
    behaviour: BEHAVIOURS[at % BEHAVIOURS.length] as MailBehaviour,
    users: [
      ...people.filter((_, index) => index % 5 !== 4).map(({ full_name }) => userOf(full_name, domain)),
      ...['info', 'sales', 'jobs', 'anna', 'john', 'asmith'],
    ],
    ...(records && { records }),
  }))
}

/**
 * The records of the people data vendor: for every fourth company its people, one who is not on its site, and one who
 * has left.
 */
export function profilesOf(companies: readonly SiteCompany[]): Profile[] {
  return companies
    .filter((_, at) => at % 4 === 0)
    .flatMap(({ domain, people, country }, at): Profile[] => {
      const place = { location_country: country.toLowerCase() }
      const known = people.map(({ full_name, title, network_url }, index) => ({
        ...place,
        id: `sbx_${at}_${index}`,
        full_name: full_name.toLowerCase(),
        job_title: title.toLowerCase(),
        job_company_website: domain,
        linkedin_url: network_url?.replace('https://www.', '') ?? null,
      }))
      const unlisted = {
        ...place,
        id: `sbx_${at}_more`,
        full_name: `robin ${domain.split(/[-.]/)[0]}son`,
        job_title: 'procurement manager',
        job_company_website: domain,
        mobile_phone: `+1415555${String(2600 + at)}`,
      }
      return [...known, unlisted]
    })
}

const userOf = (name: string, domain: string): string => emailOf(name, domain).split('@')[0] as string
