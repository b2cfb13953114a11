import { cutText } from '../../engine/text/storable.ts'

/** An item with several values of a property takes several rows. */
const MAX_ROWS = 200

/** Business and company; and any organisation. */
const COMPANY = 'wd:Q4830453 wd:Q783794'
const ORGANISATION = 'wd:Q43229'

const facts = (kinds: string) => `
  FILTER EXISTS { ?item wdt:P31/wdt:P279* ?kind . VALUES ?kind { ${kinds} } }
  OPTIONAL { ?item wdt:P856 ?site . }
  OPTIONAL { ?item p:P1128 ?count . ?count ps:P1128 ?employees . OPTIONAL { ?count pq:P585 ?counted . } }
  OPTIONAL { ?item wdt:P452 ?industry . }
  OPTIONAL { ?item wdt:P17 ?country . }
  OPTIONAL { ?item wdt:P159 ?place . }
  OPTIONAL { ?item wdt:P571 ?inception . }
  OPTIONAL { ?item wdt:P154 ?logo . }
  SERVICE wikibase:label { bd:serviceParam wikibase:language "en,mul". }`

const FIELDS =
  '?item ?itemLabel ?itemDescription ?site ?employees ?counted ?industryLabel ?countryLabel ?placeLabel ?inception ?logo'

/** Query for organisations whose official website (P856) is this domain, in the usual spellings. */
export function companiesByWebsiteQuery(domain: string): string {
  const sites = ['https', 'http'].flatMap((scheme) =>
    ['', 'www.'].flatMap((prefix) => ['', '/'].map((end) => `<${scheme}://${prefix}${iri(domain)}${end}>`)),
  )
  return `SELECT ${FIELDS} WHERE {\n  VALUES ?given { ${sites.join(' ')} }\n  ?item wdt:P856 ?given .${facts(ORGANISATION)}\n} LIMIT ${MAX_ROWS}`
}

/** Query for companies with exactly one of these labels. */
export function companiesByLabelQuery(names: readonly string[]): string {
  const labels = [...new Set(names.map((name) => literal(name.trim())))].flatMap((one) => [`${one}@en`, `${one}@mul`])
  return `SELECT ${FIELDS} WHERE {\n  VALUES ?label { ${labels.join(' ')} }\n  ?item rdfs:label ?label .${facts(COMPANY)}\n} LIMIT ${MAX_ROWS}`
}

function literal(text: string): string {
  return JSON.stringify(cutText(text, 200))
}

/** Removes characters that are not allowed in an IRI. */
function iri(domain: string): string {
  return domain.replaceAll(/[^\p{L}\p{N}.-]/gu, '')
}
