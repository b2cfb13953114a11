import type pg from 'pg'
import type { ServerConnection } from '../../src/db/embedded.ts'
import { withConnection } from './databases.ts'

/**
 * The number of rows and a checksum of each table, whatever the order of its rows and columns: of the service but for its
 * migrations and processes, and the jobs and schedules of the queue.
 */
export function readTableContents(connection: string | ServerConnection): Promise<Record<string, string>> {
  return withConnection(connection, async (client) => {
    const tables = await client.query<{ name: string }>(
      `select table_schema || '.' || table_name as name from information_schema.tables
       where table_schema = 'public' and table_name not like 'kysely_%' and table_name <> 'worker_processes'
         or table_schema = 'pgboss' and table_name in ('job', 'schedule')`,
    )
    const found: Record<string, string> = {}
    for (const { name } of tables.rows) found[name] = await readContents(client, name, 'to_jsonb(one)::text')
    return found
  })
}

/** The number of rows of a table, and a checksum of a text made of each row `one`. */
export async function readContents(client: pg.ClientBase, table: string, text: string): Promise<string> {
  const { rows } = await client.query<{ contents: string }>(
    `select count(*) || ' ' || coalesce(sum(hashtextextended(${text}, 0)::numeric), 0) as contents from ${table} as one`,
  )
  return rows[0]?.contents ?? ''
}
