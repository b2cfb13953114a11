import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import type { ImportCounts } from '../src/imports/batches.ts'
import { importCompanies } from '../src/imports/companies.ts'
import { testService } from './support/service.ts'

const service = await testService()
const { db } = service.deps

test('an import interrupted before any statement leaves no partial batch, and continuing produces the same rows', async () => {
  const line = (n: number, country: string, employees: number) => ({
    line: n,
    progress: null,
    fields: { domain: `step-${n}.example`, country, employees: String(employees), industry: 'Software' },
  })
  const known = Array.from({ length: 40 }, (_, n) => line(n, 'DE', 5))
  // New ones, known ones with new and with known facets, some that stay as they are, and one that comes twice.
  const rows = Array.from({ length: 80 }, (_, n) => line(79 - n, n % 3 ? 'DE' : 'PT', n % 2 ? 5 : 300)).concat(
    line(7, 'FI', 9),
  )
  await sql`create table marks (workspace_id uuid primary key, counts jsonb not null)`.execute(db)
  const mark = async (client: pg.ClientBase, workspaceId: string, counts: ImportCounts) => {
    const text = 'insert into marks values ($1, $2) on conflict (workspace_id) do update set counts = excluded.counts'
    await client.query(text, [workspaceId, JSON.stringify(counts)])
  }
  const attempt = async (workspaceId: string, given: typeof rows, cutAt: number): Promise<ImportCounts> => {
    const client = new pg.Client({ connectionString: service.databaseUrl })
    client.on('error', () => {})
    await client.connect()
    const ask = client.query.bind(client) as (...values: unknown[]) => unknown
    let asked = 0
    Object.assign(client, {
      query: (...values: unknown[]) => {
        if (++asked === cutAt) (client as unknown as { connection: pg.Connection }).connection.stream.destroy()
        return ask(...values)
      },
    })
    const marks = await sql<{
      counts: ImportCounts
    }>`select counts from marks where workspace_id = ${workspaceId}`.execute(db)
    async function* read() {
      yield given
    }
    try {
      return await importCompanies(client, workspaceId, read(), {
        dryRun: false,
        session: true,
        after: marks.rows[0]?.counts ?? { rows: 0, created: 0, existing: 0, rejected: 0 },
        checkpoint: (on, counts) => mark(on, workspaceId, counts),
      })
    } finally {
      await client.end()
    }
  }
  const stateOf = async (workspaceId: string) => {
    const { rows } = await sql<{ early: boolean }>`
      select domain, name, country, employees, industry, facet.country_code, facet.industry_key, facet.size_band,
        first_position > position as early
      from companies left join company_facets as facet on facet.workspace_id = companies.workspace_id and id = facet_id
      where companies.workspace_id = ${workspaceId} order by position`.execute(db)
    assert.ok(rows.every(({ early }) => early === false))
    return rows
  }
  const [whole, cut] = [(await service.stranger()).workspaceId, (await service.stranger()).workspaceId]
  for (const workspaceId of [whole, cut]) {
    await attempt(workspaceId, known, 0)
    await sql`delete from marks`.execute(db)
  }
  const report = await attempt(whole, rows, 0)
  assert.deepEqual(report, { rows: 81, rejected: 0, created: 40, existing: 41 })
  const [before, after] = [await stateOf(cut), await stateOf(whole)]
  let cutAt = 1
  for (let counts: ImportCounts | null = null; !counts; cutAt++) {
    counts = await attempt(cut, rows, cutAt).catch(() => null)
    const state = await stateOf(cut)
    const { rows: marks } = await sql`select counts from marks where workspace_id = ${cut}`.execute(db)
    assert.deepEqual(state, marks.length > 0 ? after : before, `cut before statement ${cutAt}`)
    if (counts) assert.deepEqual(counts, report)
  }
  // Lock, look, facets, both tables and their changes, the mark, the commit and what follows it.
  assert.ok(cutAt > 15, `${cutAt} statements`)
  await sql`drop table marks`.execute(db)
})
