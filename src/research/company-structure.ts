import type { RelationKind } from '../db/schema.ts'
import { canNameCompany, companyKey, coreWords } from '../engine/companies/company-names.ts'
import type { Organization } from '../engine/page/index.ts'
import { cutText, toStorable } from '../engine/text/storable.ts'
import { registrableDomain } from '../engine/text/web-address.ts'
import { legalNameKey } from '../providers/registers/legal-name.ts'
import { type FoldedPage, proveRecord } from '../providers/registers/proven-record.ts'
import type { CompanyRegister, RegisterRecord, RegisterRelation } from '../providers/registers/types.ts'
import {
  type CompanyRef,
  type FoundFirmographics,
  mergeResults,
  type ProviderDeps,
  type SourceResult,
} from '../providers/types.ts'
import { isPublisher } from '../providers/web/own-site.ts'
import type { FoundRelation, FoundStructure } from '../resources/account-relations/store.ts'
import { newId } from '../shared/ids.ts'

/** A record that is proven to be the company, with its parents and subsidiaries. */
export type RegisterEntry = {
  record: RegisterRecord
  proof: string
  related: readonly RegisterRelation[]
  /** The kinds of which the register did not report all. */
  incomplete: readonly RelationKind[]
}

/** What the company's own site says in its structured data. */
export type SiteStatement = { organization: Organization | null; url: string; isComplete: boolean }

const KINDS: readonly RelationKind[] = ['parent', 'ultimate_parent', 'subsidiary', 'brand', 'former_name']
const MAX_NAME_CHARS = 300

/**
 * The company's record in a register, if the register lists one that is proven to be the company, by its name or by the
 * legal name that its site states. `rejected`: records that a member called wrong.
 */
export async function findRegisterEntry(
  deps: ProviderDeps,
  register: CompanyRegister,
  company: CompanyRef,
  legalName: string | null,
  pages: readonly FoldedPage[],
  rejected: readonly string[],
): Promise<SourceResult<RegisterEntry>> {
  const listed = await searchNames(deps, register, [company.name, legalName ?? company.name])
  if (listed.outcome !== 'items') return listed
  const candidates = listed.items.filter(({ id }) => !rejected.includes(id))
  const proven = proveRecord(company, candidates, pages, listed.reason === undefined)
  // A list that is incomplete may lack the record that proves itself.
  if (!proven)
    return listed.reason === undefined ? { outcome: 'nothing' } : { outcome: 'failed', reason: listed.reason }
  const relations = await register.relations(deps, proven.record.id)
  const reason = relations.outcome === 'nothing' ? undefined : relations.reason
  const related = relations.outcome === 'items' ? relations.items : []
  const incomplete = relations.outcome === 'failed' ? KINDS : (relations.incomplete ?? [])
  const entry = { ...proven, related, incomplete }
  return { outcome: 'items', items: [entry], ...(reason !== undefined && { reason }) }
}

/** The records with one of the names, each once. */
async function searchNames(
  deps: ProviderDeps,
  register: CompanyRegister,
  names: readonly string[],
): Promise<SourceResult<RegisterRecord>> {
  const found: SourceResult<RegisterRecord>[] = []
  for (const name of new Map(names.map((name) => [companyKey(name), name])).values()) {
    found.push(await register.search(deps, name))
  }
  const merged = mergeResults(found)
  if (merged.outcome !== 'items') return merged
  return { ...merged, items: [...new Map(merged.items.map((record) => [record.id, record])).values()] }
}

/**
 * The seat of the registered companies, for what other sources do not know: many companies are registered at an address
 * where they do not work, so a place in another country than theirs does not count.
 */
export function registeredSeats(
  entries: readonly RegisterEntry[],
  known: readonly FoundFirmographics[],
): FoundFirmographics[] {
  const stated = known.find(({ country }) => country !== undefined)?.country
  return entries.flatMap(({ record: { city, country } }) => {
    if (country === null || (stated !== undefined && stated !== country)) return []
    return [{ country, ...(city === null ? {} : { location: city }) }]
  })
}

/**
 * What a site states about the company; null where the account's domain leads to the site of a company with other names,
 * such as an acquirer.
 */
export function statementAbout({ name, domain }: CompanyRef, site: SiteStatement | null): SiteStatement | null {
  if (!site || domain === null || registrableDomain(site.url) === registrableDomain(domain)) return site
  const { organization } = site
  const key = legalNameKey(name)
  const isSame = [organization?.name, organization?.legal_name].some((one) => one && legalNameKey(one) === key)
  return isSame ? site : null
}

/** What the registers and the company's own site say about its names and its related companies. */
export function toStructure(
  company: CompanyRef,
  entries: readonly RegisterEntry[],
  site: SiteStatement | null,
): FoundStructure {
  const legal = entries.map(({ record }) => record.legal_name)
  const own = new Set([company.name, ...legal].map(companyKey))
  const relations = [...entries.flatMap(ofRegister), ...(site ? ofSite(site, company.domain) : [])]
  return {
    domain: company.domain,
    registrations: entries.map(({ record, proof }) => ({
      register: record.register,
      register_id: record.id,
      legal_name: named(record.legal_name),
      proof,
      source_url: record.url,
    })),
    relations: relations.filter(({ kind, name }) => !(kind === 'brand' && own.has(companyKey(name)))),
    read: [
      ...entries.flatMap(({ record, incomplete }) =>
        KINDS.filter((kind) => !incomplete.includes(kind)).map((kind) => ({ source: record.register, kind })),
      ),
      ...(site?.isComplete ? KINDS.map((kind) => ({ source: 'website', kind })) : []),
    ],
  }
}

const named = (name: string) => cutText(toStorable(name).replaceAll(/\s+/g, ' ').trim(), MAX_NAME_CHARS)

function ofRegister({ record, related }: RegisterEntry): FoundRelation[] {
  const { register, url } = record
  const common = { source: register, source_url: url }
  const names = record.other_names
    .filter(({ name }) => name !== record.legal_name)
    .map(
      ({ name, kind }): FoundRelation => ({
        ...common,
        id: newId(),
        kind: kind === 'former' ? 'former_name' : 'brand',
        name: named(name),
        domain: null,
        register: null,
        register_id: null,
      }),
    )
  const companies = related
    .filter(({ company }) => company.id !== record.id)
    .map(
      ({ kind, company }): FoundRelation => ({
        ...common,
        id: newId(),
        kind,
        name: named(company.legal_name),
        domain: null,
        register: company.register,
        register_id: company.id,
        source_url: company.url,
      }),
    )
  return [...names, ...companies]
}

/** A site may list words that name no company, such as a slogan, as its brands. */
function ofSite({ organization, url }: SiteStatement, domain: string | null): FoundRelation[] {
  return (organization?.related ?? [])
    .filter(({ name }) => canNameCompany(coreWords(name)))
    .map(({ kind, name, url: site }): FoundRelation => {
      const own = site === null || isPublisher(site) ? null : registrableDomain(site)
      return {
        id: newId(),
        kind,
        name: named(name),
        domain: own === (domain === null ? null : registrableDomain(domain)) ? null : own,
        register: null,
        register_id: null,
        source: 'website',
        source_url: url,
      }
    })
}
