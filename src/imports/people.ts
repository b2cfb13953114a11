import type { Deps } from '../deps/deps.ts'
import { findCountryCode } from '../engine/countries.ts'
import { personIdentity } from '../engine/people/person-name.ts'
import { toE164 } from '../engine/people/phone-number.ts'
import { readTitle } from '../engine/titles/index.ts'
import { savePeople } from '../people/save.ts'
import { findAccountsByDomain } from '../resources/accounts/store.ts'
import { findOwnDomain } from '../shared/company-sites.ts'
import { normalizeDomain } from '../shared/domains.ts'
import { type ImportCallbacks, type ImportCounts, importRows } from './batches.ts'
import type { CsvRows } from './csv-file.ts'
import { RowRejected, readLinkField, readTextField } from './fields.ts'

type Options = Pick<ImportCallbacks<unknown>, 'onProgress' | 'onRejected'> & { dryRun: boolean }

/**
 * Imports people to the accounts with their domain. An email address in a file is stored as unverified. Erased people are
 * not stored again.
 */
export function importPeople(
  deps: Pick<Deps, 'db' | 'secrets'>,
  workspaceId: string,
  rows: CsvRows,
  { dryRun, ...watch }: Options,
): Promise<ImportCounts> {
  return importRows({
    ...watch,
    rows,
    read: readPerson,
    async store(batch) {
      const accounts = await findAccountsByDomain(deps.db, workspaceId, [...new Set(batch.map(({ domain }) => domain))])
      const byDomain = new Map(accounts.map(({ domain, id }) => [domain, id]))
      const placed = batch.map(({ domain, ...person }) => ({ ...person, account_id: byDomain.get(domain) ?? '' }))
      const homeless = (at: number) => new RowRejected(`no account has the domain ${batch[at]?.domain}`)
      if (dryRun) return placed.map(({ account_id }, at) => (account_id ? 'created' : homeless(at)))
      const saved = await deps.db.transaction().execute((db) =>
        savePeople(
          { ...deps, db },
          workspaceId,
          'employee',
          placed.filter(({ account_id }) => account_id),
        ),
      )
      const byKey = new Map(saved.map((person) => [keyOf(person), person.created]))
      const counted = new Set<string>()
      return placed.map((person, at) => {
        if (!person.account_id) return homeless(at)
        const created = byKey.get(keyOf(person))
        if (created === undefined) return new RowRejected('this person was erased and is not stored again')
        const isNew = created && !counted.has(keyOf(person))
        counted.add(keyOf(person))
        return isNew ? 'created' : 'existing'
      })
    },
  })
}

const keyOf = (person: { account_id: string; full_name: string; title?: string | null; network_url?: string | null }) =>
  `${person.account_id} ${personIdentity({ full_name: person.full_name, title: person.title ?? null, network_url: person.network_url ?? null })}`

function readPerson(fields: Record<string, string>) {
  const { full_name = '', first_name = '', last_name = '', domain = '', email = '', country_code = '' } = fields
  const name = (full_name || `${first_name} ${last_name}`).trim().replaceAll(/\s+/g, ' ')
  if (!name) throw new RowRejected('it has no name')
  const place = domain || email.split('@')[1] || ''
  const normalized = findOwnDomain(domain) ?? findOwnDomain(email) ?? normalizeDomain(place)
  if (!normalized) throw new RowRejected(place ? `"${place}" is not a domain` : 'it has no company domain')
  const text = (field: string, max: number) => readTextField(fields, field, max)
  const title = text('title', 300)
  const country =
    findCountryCode(country_code) ?? (/^[a-z]{2}$/i.test(country_code) ? country_code.toUpperCase() : null)
  const phone = text('phone', 60)
  return {
    full_name: readTextField({ full_name: name }, 'full_name', 300) as string,
    domain: normalized,
    title,
    job_level: title ? readTitle(title).job_level : null,
    headline: text('headline', 1000),
    network_url: readLinkField(fields, 'network_url'),
    given_email: /^[^\s@]{1,64}@[^\s@]+\.[^\s@]+$/.test(email) ? email.toLowerCase() : null,
    // A number that cannot be parsed is stored as written.
    phone: phone && (toE164(phone, country) ?? phone),
    location: text('location', 300),
    country_code: country,
  }
}
