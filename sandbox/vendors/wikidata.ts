import type { SandboxCompany, Vendor } from '../types.ts'
import { json } from './boards.ts'

type Value = { type: 'uri' | 'literal'; value: string; datatype?: string; 'xml:lang'?: string }

/** The query service, for queries of companies by website or by label. */
export const wikidata: Vendor = {
  name: 'wikidata',
  hosts: ['query.wikidata.org'],
  answer({ url }, { companies }) {
    const query = url.searchParams.get('query') ?? ''
    if (url.pathname !== '/sparql' || !/^\s*SELECT\b/.test(query)) {
      return { status: 400, headers: { 'content-type': 'text/plain' }, body: 'SPARQL-QUERY: MalformedQueryException' }
    }
    const sites = new Set([...query.matchAll(/<(https?:\/\/[^>]+)>/g)].map(([, site]) => site))
    const labels = new Set(
      [...query.matchAll(/("(?:[^"\\]|\\.)*")@en/g)].map(([, label]) => JSON.parse(label as string)),
    )
    const found = companies.filter((company) => {
      return company.wikidata && (sites.has(siteOf(company)) || labels.has(company.name))
    })
    return json(
      200,
      { head: { vars: ['item', 'itemLabel'] }, results: { bindings: found.flatMap(rowsOf) } },
      { 'content-type': 'application/sparql-results+json;charset=utf-8' },
    )
  },
}

function siteOf({ domain }: SandboxCompany): string {
  return `https://www.${domain}/`
}

/** One row per number of employees: the latest, and an older one. */
function rowsOf(company: SandboxCompany): Record<string, Value>[] {
  const { id = '', employees = null } = company.wikidata ?? {}
  const row: Record<string, Value> = {
    item: uri(`http://www.wikidata.org/entity/${id}`),
    itemLabel: text(company.name),
    itemDescription: text(company.description),
    site: uri(siteOf(company)),
    industryLabel: text(company.industry),
    countryLabel: text(company.country),
    placeLabel: text(company.city),
    inception: { ...typed(`${company.founded_year}-01-01T00:00:00Z`, 'dateTime') },
    logo: uri(`http://commons.wikimedia.org/wiki/Special:FilePath/${encodeURIComponent(company.name)}.svg`),
  }
  if (employees === null) return [row]
  return [
    {
      ...row,
      employees: typed(String(Math.ceil(employees / 2)), 'decimal'),
      counted: typed('2019-01-01T00:00:00Z', 'dateTime'),
    },
    { ...row, employees: typed(String(employees), 'decimal'), counted: typed('2024-01-01T00:00:00Z', 'dateTime') },
  ]
}

const uri = (value: string): Value => ({ type: 'uri', value })
const text = (value: string): Value => ({ type: 'literal', value, 'xml:lang': 'en' })
const typed = (value: string, type: string): Value => ({
  type: 'literal',
  value,
  datatype: `http://www.w3.org/2001/XMLSchema#${type}`,
})
