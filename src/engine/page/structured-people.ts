import { countryName, findCountryCode } from '../countries.ts'
import { readPersonName } from '../people/person-name.ts'
import { cutText } from '../text/storable.ts'
import { absoluteUrl, canonicalNetworkUrl, isNetworkUrl, readEmail } from './addresses.ts'
import { collapseWhitespace, type Element, elementText, walkElements } from './element.ts'
import { tidyTitle } from './job-title.ts'
import { firstString, isJsonObject, type JsonLdObject, stringValues } from './json-ld.ts'
import type { PagePerson } from './person.ts'
import { readPhone, writePhone } from './phones.ts'

type Field = 'name' | 'title' | 'email' | 'phone' | 'image' | 'headline' | 'location'
type Fields = Record<Field, string | null> & { urls: string[] }

/** People with a name and a job title in the page's JSON-LD. */
export function jsonLdPeople(objects: readonly JsonLdObject[], baseUrl: string): PagePerson[] {
  const people: PagePerson[] = []
  for (const { types, object } of objects) {
    if (!types.includes('Person')) continue
    const parts = [firstString(object.givenName), firstString(object.familyName)].filter((part) => part !== null)
    const person = toPerson(
      {
        name: firstString(object.name) ?? parts.join(' '),
        title: firstString(object.jobTitle),
        email: firstString(object.email),
        phone: firstString(object.telephone),
        image: imageUrl(object.image),
        headline: firstString(object.description),
        location: placeOf(object.workLocation) ?? placeOf(object.address) ?? placeOf(object.homeLocation),
        urls: [...stringValues(object.sameAs), ...stringValues(object.url)],
      },
      baseUrl,
    )
    if (person) people.push(person)
  }
  return people
}

export function imageUrl(value: unknown): string | null {
  const [first] = Array.isArray(value) ? value : [value]
  return isJsonObject(first) ? firstString(first.url ?? first.contentUrl) : firstString(first)
}

/** "Leeds, United Kingdom", from an address, a place with an address, or a text. */
function placeOf(value: unknown): string | null {
  const [first] = Array.isArray(value) ? value : [value]
  if (!isJsonObject(first)) return firstString(first)
  if (first.address) return placeOf(first.address)
  const written = firstString(first.addressCountry)
  // Addresses contain the country's code as often as its name.
  const code = written && findCountryCode(written)
  const parts = [
    firstString(first.addressLocality),
    firstString(first.addressRegion),
    code ? countryName(code) : written,
  ].filter((part) => part !== null)
  return parts.length > 0 ? parts.join(', ') : firstString(first.name)
}

/** The microdata properties and microformat classes of each field. */
const PROPERTY_NAMES: Record<keyof Fields, string> = {
  name: 'name fn p-name',
  title: 'jobtitle title role p-job-title p-role',
  email: 'email u-email',
  phone: 'telephone tel p-tel',
  headline: 'description note p-note',
  location: 'worklocation locality p-locality',
  image: 'image u-photo photo',
  urls: 'sameas url u-url',
}
const PROPERTIES = new Map(
  Object.entries(PROPERTY_NAMES).flatMap(([field, names]) =>
    names.split(' ').map((name) => [name, field as keyof Fields] as const),
  ),
)
const NO_FIELDS = { name: null, title: null, email: null, phone: null, image: null, headline: null, location: null }
const CARD_CLASS = /(?:^|\s)(?:vcard|h-card)(?:\s|$)/

/** People marked up as schema.org microdata, RDFa or hCard microformats. */
export function microdataPeople(root: Element, baseUrl: string): PagePerson[] {
  const people: PagePerson[] = []
  walkElements(root, (element) => {
    const { itemtype, typeof: rdfa, class: classes } = element.attrs
    const isItem = /schema\.org\/Person\b/i.test(itemtype ?? '') || /(?:^|[\s:])Person\b/.test(rdfa ?? '')
    if (!isItem && !CARD_CLASS.test((classes ?? '').slice(0, 300))) return undefined
    const fields: Fields = { ...NO_FIELDS, urls: [] }
    walkElements(element, (part) => {
      const named = isItem ? (part.attrs.itemprop ?? part.attrs.property) : part.attrs.class
      for (const word of (named ?? '').slice(0, 200).toLowerCase().split(/\s+/)) {
        const key = PROPERTIES.get(word.replace(/^schema:/, ''))
        const value = key ? propertyValue(part, key) : ''
        if (!key || !value) continue
        if (key === 'urls') fields.urls.push(value)
        else fields[key] ??= value
      }
      if (part.tag === 'a' && part.attrs.href) fields.urls.push(part.attrs.href)
      return undefined
    })
    const person = toPerson(fields, baseUrl)
    if (person) people.push(person)
    return false
  })
  return people
}

function propertyValue(element: Element, key: keyof Fields): string {
  const { content, href, src } = element.attrs
  if (key === 'image') return src ?? href ?? content ?? ''
  if (key === 'urls') return href ?? content ?? ''
  if (key === 'email' && href?.startsWith('mailto:')) return href
  return content ?? elementText(element, 200)
}

function toPerson(fields: Fields, baseUrl: string): PagePerson | null {
  const fullName = fields.name ? readPersonName(fields.name) : null
  const title = fields.title ? tidyTitle(fields.title) : null
  if (!fullName || !title) return null
  const person: PagePerson = { full_name: fullName, title }
  const network = fields.urls.find(isNetworkUrl)
  const email = fields.email ? readEmail(fields.email) : null
  const phone = fields.phone ? readPhone(fields.phone) : null
  const image = fields.image ? absoluteUrl(fields.image, baseUrl) : null
  if (network) person.network_url = canonicalNetworkUrl(network)
  if (email) person.email = email
  if (phone?.number) person.phone = writePhone(phone.number, phone.extension)
  if (image) person.image = image
  if (fields.headline) person.headline = cutText(collapseWhitespace(fields.headline), 300)
  if (fields.location) person.location = cutText(collapseWhitespace(fields.location), 200)
  return person
}
