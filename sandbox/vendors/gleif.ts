import type { RegisteredCompany, SandboxResponse, Vendor } from '../types.ts'
import { json } from './boards.ts'

const TYPE = { 'content-type': 'application/vnd.api+json' }

/** The LEI index: searches by any name, records, parents and subsidiaries. */
export const gleif: Vendor = {
  name: 'gleif',
  hosts: ['api.gleif.org'],
  answer({ url }, { registered = [] }) {
    const [, lei, relation] = /^\/api\/v1\/lei-records(?:\/([^/]+)(?:\/([\w-]+))?)?$/.exec(url.pathname) ?? []
    const listed = registered.filter(isListed)
    const size = Number(url.searchParams.get('page[size]') ?? 15)
    if (!lei) {
      const words = (url.searchParams.get('filter[entity.names]') ?? '').toLowerCase().split(/\s+/)
      return listOf(
        listed.filter((one) => words.every((word) => namesOf(one).toLowerCase().includes(word))),
        size,
      )
    }
    const company = listed.find((one) => one.lei === lei)
    if (!company) return missing()
    if (!relation) return json(200, { data: recordOf(company) }, TYPE)
    if (relation === 'direct-children')
      return listOf(
        listed.filter(({ parent }) => parent === company.number),
        size,
      )
    const parentOf = (one: RegisteredCompany) => listed.find(({ number }) => number === one.parent)
    let parent = parentOf(company)
    while (relation === 'ultimate-parent' && parent && parentOf(parent)) parent = parentOf(parent)
    return parent ? json(200, { data: recordOf(parent) }, TYPE) : missing()
  },
}

type Listed = RegisteredCompany & { lei: string }
const isListed = (company: RegisteredCompany): company is Listed => company.lei !== undefined

function listOf(found: readonly Listed[], size: number): SandboxResponse {
  const pagination = { currentPage: 1, perPage: size, total: found.length, lastPage: Math.ceil(found.length / size) }
  return json(200, { meta: { pagination }, data: found.slice(0, size).map(recordOf) }, TYPE)
}

const missing = () => json(404, { errors: [{ status: '404', title: 'Not Found' }] }, TYPE)

const namesOf = ({ legal_name, former_names = [], trading_names = [] }: RegisteredCompany) =>
  [legal_name, ...former_names, ...trading_names].join('\n')

function recordOf({ lei, legal_name, number, former_names = [], trading_names = [], ...company }: Listed) {
  const { country_code: country, street, city, postal_code: postalCode, isDissolved } = company
  const address = { language: 'en', addressLines: [street], city, country, postalCode }
  const named = (type: string) => (name: string) => ({ name, language: 'en', type })
  return {
    type: 'lei-records',
    id: lei,
    attributes: {
      lei,
      entity: {
        legalName: { name: legal_name, language: 'en' },
        otherNames: [
          ...former_names.map(named('PREVIOUS_LEGAL_NAME')),
          ...trading_names.map(named('TRADING_OR_OPERATING_NAME')),
        ],
        // That of a registered agent.
        legalAddress: { ...address, addressLines: ['c/o Agents of Delaware', '1 Registry Row'], postalCode: '19801' },
        headquartersAddress: address,
        registeredAs: number,
        jurisdiction: country,
        legalForm: { id: '8888', other: null },
        status: isDissolved ? 'INACTIVE' : 'ACTIVE',
      },
      registration: { status: isDissolved ? 'RETIRED' : 'ISSUED' },
    },
  }
}
