import { hash } from 'node:crypto'
import { CompiledQuery } from 'kysely'
import type { Db } from './connect.ts'
import type { AccountStatus, Database } from './schema.ts'

/**
 * Lists with a version that triggers increment with every change of their rows, in the same statement: data read at a
 * version is current as long as the version is the same (docs/decisions/0022).
 */
export type ListName = Database['list_versions']['list']

/** The order of the numbers in `list_versions.counts`, which triggers maintain; those of hot accounts follow in the same order. */
const COUNTED = ['suggested', 'active', 'rejected', 'unqualified', 'new'] satisfies AccountStatus[]

/** SQL over the versions of the list of accounts of a workspace: its exact number of accounts (docs/decisions/0053). */
export function accountTotal(status?: AccountStatus, isHot?: boolean): string {
  const kinds = [false, true].flatMap((hot) => COUNTED.map((counted) => ({ hot, counted })))
  const summed = kinds.flatMap(({ hot, counted }, at) =>
    (isHot ?? hot) === hot && (status ?? counted) === counted ? [`counts[${at + 1}]`] : [],
  )
  return `coalesce(sum(${summed.join(' + ')}), 0)::bigint`
}

type Versions = ReadonlyMap<ListName, number>
type Batch = { workspaces: Set<string>; found: Promise<Map<string, Versions>> }

/** Part of every etag; increment it when the same rows are serialized differently. */
const FORM = 1

/** The etag of a statement and its values at a list version. Weak: it identifies the records, not the bytes. */
export function etagOf(statement: string, version: number): string {
  return `W/"${hash('sha1', `${FORM} ${version} ${statement}`, 'base64url')}"`
}

/** Whether `If-None-Match` contains the etag; `*` matches any. */
export function matchesEtag(header: string, etag: string): boolean {
  if (header.trim() === '*') return true
  const opaque = etag.replace('W/', '')
  return header.split(',').some((one) => one.trim().replace('W/', '') === opaque)
}

/**
 * Batches concurrent version lookups: one query runs at a time, and callers that arrive meanwhile share the next one. A
 * caller never gets the result of a query that started before its call, so it sees every change committed by then in any
 * process.
 */
export class VersionLookups {
  readonly #db: Db
  #last: Promise<unknown> | null = null
  #next: Batch | null = null

  constructor(db: Db) {
    this.#db = db
  }

  async read(workspaceId: string, lists: readonly ListName[]): Promise<number> {
    this.#next ??= this.#open()
    this.#next.workspaces.add(workspaceId)
    const versions = (await this.#next.found).get(workspaceId)
    return lists.reduce((sum, list) => sum + (versions?.get(list) ?? 0), 0)
  }

  #open(): Batch {
    const workspaces = new Set<string>()
    const found = this.#whenFree().then(() => {
      this.#next = null
      return readVersions(this.#db, [...workspaces])
    })
    this.#last = found
    return { workspaces, found }
  }

  async #whenFree(): Promise<void> {
    // A failed query has rejected for the callers that shared it.
    await this.#last?.catch(() => {})
  }
}

async function readVersions(db: Db, workspaceIds: string[]): Promise<Map<string, Versions>> {
  const sql = `select workspace_id, list, sum(version)::float8 as version from list_versions
    where workspace_id = any($1::uuid[]) group by workspace_id, list`
  type Row = { workspace_id: string; list: ListName; version: number }
  const { rows } = await db.executeQuery<Row>(CompiledQuery.raw(sql, [workspaceIds]))
  const found = new Map<string, Map<ListName, number>>()
  for (const { workspace_id, list, version } of rows) {
    const versions = found.get(workspace_id) ?? new Map<ListName, number>()
    found.set(workspace_id, versions.set(list, version))
  }
  return found
}
