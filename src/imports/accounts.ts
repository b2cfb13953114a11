import { createHash } from 'node:crypto'
import type { Deps } from '../deps/deps.ts'
import { cutText } from '../engine/text/storable.ts'
import { addAccounts } from '../resources/accounts/create.ts'
import { MAX_TAG_CHARS, MAX_TAGS } from '../resources/accounts/schema.ts'
import { findKnownDomains } from '../resources/accounts/store.ts'
import { uniqueTags } from '../resources/accounts/tags.ts'
import { listMembers } from '../resources/members/store.ts'
import { normalizeDomain } from '../shared/domains.ts'
import { ACCOUNT_MAX_LENGTHS } from '../shared/max-lengths.ts'
import { type ImportCallbacks, type ImportCounts, importRows } from './batches.ts'
import type { CsvRow, CsvRows } from './csv-file.ts'
import { RowRejected, readHeadcount, readLinkField, readTextField } from './fields.ts'

export type ImportedAccount = ReturnType<typeof readAccount>

type Options = ImportCallbacks<ImportedAccount> & {
  dryRun: boolean
  /** Added to every new account. */
  tag?: string | undefined
}

/** Imports accounts as suggested; an account with a known domain is not changed. */
export async function importAccounts(
  { db }: Pick<Deps, 'db'>,
  workspaceId: string,
  rows: CsvRows,
  { dryRun, tag, ...watch }: Options,
): Promise<ImportCounts> {
  const members = await listMembers(db, workspaceId)
  const owners = new Map(members.flatMap(({ id, email }) => [[email.toLowerCase(), id] as const, [id, id] as const]))
  const planned = new Set<string>()

  return importRows({
    ...watch,
    rows: rejectRepeats(rows),
    read: (fields) => readAccount(fields, owners, tag),
    async store(batch, checkpoint) {
      if (!dryRun) {
        return db.transaction().execute(async (db) => {
          const stored = await addAccounts(db, workspaceId, 'import', batch)
          const outcomes = stored.map(({ created }) => (created ? ('created' as const) : ('existing' as const)))
          await checkpoint(db, outcomes)
          return outcomes
        })
      }
      const known = await findKnownDomains(
        db,
        workspaceId,
        batch.flatMap(({ domain }) => domain ?? []),
      )
      return batch.map(({ domain }) => {
        if (domain === null) return 'created'
        const isNew = !known.has(domain) && !planned.has(domain)
        planned.add(domain)
        return isNew ? 'created' : 'existing'
      })
    },
  })
}

/**
 * Rejects a row without a domain that equals an earlier one, because a file of a few kilobytes can repeat a row a million
 * times. Rows stored by an earlier attempt are compared, too, so that a resumed import rejects the same rows.
 */
async function* rejectRepeats(rows: CsvRows): AsyncGenerator<CsvRow[]> {
  const firstLines = new Map<string, number>()
  for await (const some of rows) {
    yield some.map((row) => {
      if ('reason' in row || row.fields.domain || !row.fields.name) return row
      // Short keys, because there may be a million of them.
      const key = createHash('sha256').update(JSON.stringify(row.fields)).digest('base64url').slice(0, 22)
      const first = firstLines.get(key)
      if (first === undefined) {
        firstLines.set(key, row.line)
        return row
      }
      const { line, progress } = row
      return { line, progress, reason: `it repeats line ${first}, and has no domain` }
    })
  }
}

function readAccount(fields: Record<string, string>, owners: Map<string, string>, tag?: string) {
  const { name = '', domain = '', owner = '', employees = '' } = fields
  const normalized = domain ? normalizeDomain(domain) : null
  if (domain && !normalized) throw new RowRejected(`"${cutText(domain, 100)}" is not a domain`)
  if (!name && !normalized) throw new RowRejected('it has neither a name nor a domain')
  const owner_id = owner ? owners.get(owner.toLowerCase()) : null
  if (owner_id === undefined) throw new RowRejected(`"${cutText(owner, 100)}" is not a member of the workspace`)
  const text = (field: keyof typeof ACCOUNT_MAX_LENGTHS) => readTextField(fields, field, ACCOUNT_MAX_LENGTHS[field])
  return {
    name: text('name') ?? (normalized as string),
    domain: normalized,
    tags: readTags(fields.tags ?? '', tag),
    owner_id,
    employees: readHeadcount(employees),
    industry: text('industry'),
    location: text('location'),
    country: text('country'),
    network_url: readLinkField(fields, 'network_url'),
    short_description: text('short_description'),
  }
}

/** Applies the limits of the API. Throws RowRejected. */
function readTags(cell: string, another = ''): string[] {
  const tags = uniqueTags([...cell.split(/[,;|]/), another]).filter(Boolean)
  if (tags.length > MAX_TAGS) throw new RowRejected(`it has more than ${MAX_TAGS} tags`)
  for (const tag of tags) readTextField({ tag }, 'tag', MAX_TAG_CHARS)
  return tags
}
