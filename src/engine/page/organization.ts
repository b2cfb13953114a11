import { cutText } from '../text/storable.ts'
import { absoluteUrl, readEmail } from './addresses.ts'
import { type Element, elementText, findElement, walkElements } from './element.ts'
import { firstString, isJsonObject, type JsonLdObject, type JsonObject, stringValues } from './json-ld.ts'
import { readPhone } from './phones.ts'
import { imageUrl } from './structured-people.ts'

export type Organization = {
  name: string
  legal_name: string | null
  url: string | null
  description: string | null
  logo_url: string | null
  network_url: string | null
  same_as: string[]
  founded: string | null
  employees: number | null
  industry: string | null
  location: string | null
  street: string | null
  country: string | null
  email: string | null
  phone: string | null
  /** Brands and companies that belong to it, and its parent. */
  related: RelatedOrganization[]
}

export type RelatedOrganization = { kind: 'parent' | 'subsidiary' | 'brand'; name: string; url: string | null }

const ORGANIZATION_TYPES =
  /^(?:.*Organization|Corporation|.*Business|Airline|Consortium|NGO|.*Store|Restaurant|Hotel|.*Agency|.*Clinic|Hospital|.*School|CollegeOrUniversity|LegalService|FinancialService|Attorney|Dentist|InsuranceAgency|BankOrCreditUnion)$/
/** Properties with organisations other than the site's own. A publisher is the site's own. */
const OTHERS = new Set([
  ...['memberOf', 'worksFor', 'affiliation', 'sponsor'],
  ...['parentOrganization', 'subOrganization', 'brand'],
])

/** The organisation of a page, from JSON-LD (the object with the most properties), microdata or the site name. */
export function findOrganization(
  root: Element,
  objects: readonly JsonLdObject[],
  baseUrl: string,
): Organization | null {
  const foreign = new Set<unknown>()
  for (const { object } of objects) {
    for (const [key, value] of Object.entries(object)) {
      if (OTHERS.has(key)) for (const one of [value].flat()) foreign.add(one)
    }
  }
  let best: JsonObject | null = null
  for (const { types, object } of objects) {
    if (!types.some((type) => ORGANIZATION_TYPES.test(type)) || foreign.has(object) || !firstString(object.name))
      continue
    if (!best || Object.keys(object).length > Object.keys(best).length) best = object
  }
  if (best) return fromJsonLd(best, baseUrl)
  const name = microdataName(root) ?? siteName(root)
  return name ? fromJsonLd({ name }, baseUrl) : null
}

function fromJsonLd(object: JsonObject, baseUrl: string): Organization {
  const sameAs = stringValues(object.sameAs)
  const [address] = Array.isArray(object.address) ? object.address : [object.address]
  const place = isJsonObject(address) ? address : {}
  const location = [firstString(place.addressLocality), firstString(place.addressRegion)].filter(
    (part) => part !== null,
  )
  const description = firstString(object.description)
  const link = (value: string | null) => (value ? absoluteUrl(value, baseUrl) : null)
  return {
    name: firstString(object.name) ?? '',
    legal_name: firstString(object.legalName),
    url: link(firstString(object.url)),
    description: description && cutText(description, 2_000),
    logo_url: link(imageUrl(object.logo)),
    network_url: sameAs.find((url) => /^https?:\/\/(?:[a-z]{2,3}\.)?linkedin\.com\/company\//.test(url)) ?? null,
    same_as: sameAs,
    founded: firstString(object.foundingDate),
    employees: employeesOf(object.numberOfEmployees),
    industry: firstString(object.industry) ?? firstString(object.knowsAbout),
    street: cutText(firstString(place.streetAddress) ?? '', 200) || null,
    location: location.length > 0 ? location.join(', ') : typeof address === 'string' ? cutText(address, 200) : null,
    country: firstString(place.addressCountry),
    email: readEmail(firstString(object.email) ?? ''),
    phone: readPhone(firstString(object.telephone) ?? '')?.number ?? null,
    related: relatedOrganizations(object, baseUrl),
  }
}

const MAX_RELATED = 50
const MAX_RELATED_NAME = 100

/** An alternate name is a name that the organisation goes by, like a brand. */
function relatedOrganizations(object: JsonObject, baseUrl: string): RelatedOrganization[] {
  const listed = [
    ['parent', object.parentOrganization],
    ['subsidiary', object.subOrganization],
    ['brand', object.brand],
    ['brand', object.alternateName],
  ] as const
  return listed
    .flatMap(([kind, value]) =>
      [value].flat().flatMap((one): RelatedOrganization[] => {
        const name = firstString(isJsonObject(one) ? one.name : one)
        if (!name || name.length > MAX_RELATED_NAME || /^https?:/i.test(name)) return []
        const url = isJsonObject(one) ? firstString(one.url) : null
        return [{ kind, name, url: url && absoluteUrl(url, baseUrl) }]
      }),
    )
    .slice(0, MAX_RELATED)
}

/** A number, a text with one, or the lower end of a range. */
function employeesOf(value: unknown): number | null {
  const stated = isJsonObject(value) ? (value.value ?? value.minValue) : value
  const match = /\d{1,7}/.exec(String(stated ?? '').replaceAll(',', ''))
  return match ? Number(match[0]) : null
}

function microdataName(root: Element): string | null {
  let name: string | null = null
  // Elements inside an organisation without a name, which need not be searched again.
  const nameless = new Set<Element>()
  walkElements(root, (element) => {
    if (name) return false
    if (nameless.has(element) && element.attrs.itemscope === undefined) return undefined
    if (
      !/schema\.org\/(?:\w{0,40}Organization|Corporation|\w{0,40}Business)\b/.test(
        (element.attrs.itemtype ?? '').slice(0, 200),
      )
    )
      return undefined
    walkElements(element, (part) => {
      nameless.add(part)
      if (!name && part.attrs.itemprop === 'name') name = part.attrs.content ?? elementText(part, 120)
      // The name of a nested person or address is not the organisation's.
      return part.attrs.itemscope === undefined
    })
    return undefined
  })
  return name
}

function siteName(root: Element): string | null {
  const isName = ({ tag, attrs }: Element) =>
    tag === 'meta' && (attrs.property === 'og:site_name' || attrs.name === 'application-name') && attrs.content?.trim()
  return findElement(root, (element) => Boolean(isName(element)))?.attrs.content?.trim() ?? null
}
