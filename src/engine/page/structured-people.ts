import { countryName, findCountryCode } from '../countries.ts'
import { readPersonName } from '../person-name.ts'
import { cutText } from '../storable.ts'
import { table } from '../table.ts'
import { absoluteUrl, canonicalNetworkUrl, isNetworkUrl, readEmail, readPhone } from './addresses.ts'
import { tidyTitle } from './job-title.ts'
import { firstString, type JsonObject, strings } from './json-ld.ts'
import type { PagePerson } from './person.ts'
import { type Element, foldBlanks, textOf, walk } from './tree.ts'

type Field = 'name' | 'title' | 'email' | 'phone' | 'image' | 'headline' | 'location'
type Fields = Record<Field, string | null> & { urls: string[] }

/** People of the JSON-LD: those with a name and a job title. */
export function jsonLdPeople(
  objects: readonly { types: string[]; object: JsonObject }[],
  baseUrl: string,
): PagePerson[] {
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
        image: imageOf(object.image),
        headline: firstString(object.description),
        location: placeOf(object.workLocation) ?? placeOf(object.address) ?? placeOf(object.homeLocation),
        urls: [...strings(object.sameAs), ...strings(object.url)],
      },
      baseUrl,
    )
    if (person) people.push(person)
  }
  return people
}

function imageOf(value: unknown): string | null {
  const [first] = Array.isArray(value) ? value : [value]
  if (typeof first === 'object' && first !== null)
    return firstString((first as JsonObject).url ?? (first as JsonObject).contentUrl)
  return firstString(first)
}

/** "Leeds, United Kingdom", from an address, a place with one, or as it is written. */
function placeOf(value: unknown): string | null {
  const [first] = Array.isArray(value) ? value : [value]
  if (typeof first !== 'object' || first === null) return firstString(first)
  const place = first as JsonObject
  if (place.address) return placeOf(place.address)
  const country = place.addressCountry
  const named = typeof country === 'object' && country !== null ? (country as JsonObject).name : country
  const written = firstString(named)
  // An address gives the country by its code as often as by its name.
  const code = written && findCountryCode(written)
  const parts = [
    firstString(place.addressLocality),
    firstString(place.addressRegion),
    code ? countryName(code) : written,
  ].filter((part) => part !== null)
  return parts.length > 0 ? parts.join(', ') : firstString(place.name)
}

/** Which microdata property or microformat class holds which field. */
const PROPERTIES = table<keyof Fields>({
  name: 'name',
  fn: 'name',
  'p-name': 'name',
  jobtitle: 'title',
  title: 'title',
  role: 'title',
  'p-job-title': 'title',
  'p-role': 'title',
  email: 'email',
  'u-email': 'email',
  telephone: 'phone',
  tel: 'phone',
  'p-tel': 'phone',
  description: 'headline',
  note: 'headline',
  'p-note': 'headline',
  worklocation: 'location',
  locality: 'location',
  'p-locality': 'location',
  image: 'image',
  'u-photo': 'image',
  photo: 'image',
  sameas: 'urls',
  url: 'urls',
  'u-url': 'urls',
})
const NO_FIELDS = { name: null, title: null, email: null, phone: null, image: null, headline: null, location: null }
const CARD_CLASS = /(?:^|\s)(?:vcard|h-card)(?:\s|$)/

/** People marked up as schema.org microdata, RDFa or hCard microformats. */
export function markedUpPeople(root: Element, baseUrl: string): PagePerson[] {
  const people: PagePerson[] = []
  walk(root, (element) => {
    const { itemtype, typeof: rdfa, class: classes } = element.attrs
    const isItem = /schema\.org\/Person\b/i.test(itemtype ?? '') || /(?:^|[\s:])Person\b/.test(rdfa ?? '')
    if (!isItem && !CARD_CLASS.test((classes ?? '').slice(0, 300))) return undefined
    const fields: Fields = { ...NO_FIELDS, urls: [] }
    walk(element, (part) => {
      const named = isItem ? (part.attrs.itemprop ?? part.attrs.property) : part.attrs.class
      for (const word of (named ?? '').slice(0, 200).toLowerCase().split(/\s+/)) {
        const key = PROPERTIES[word.replace(/^schema:/, '')]
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
  return content ?? textOf(element, 200)
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
  if (phone) person.phone = phone
  if (image) person.image = image
  if (fields.headline) person.headline = cutText(foldBlanks(fields.headline), 300)
  if (fields.location) person.location = cutText(foldBlanks(fields.location), 200)
  return person
}
