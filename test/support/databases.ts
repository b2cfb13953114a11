import pg from 'pg'
import type { ServerConnection } from '../../src/db/embedded.ts'

export const TEMPLATE = 'bellwether_template'

/** The server that global-setup.ts started. */
export function connection(database = 'postgres'): Required<ServerConnection> {
  const given = process.env.TEST_POSTGRES
  if (!given) throw new Error('Run the tests with "npm test": it starts the PostgreSQL they need.')
  return { ...(JSON.parse(given) as Required<ServerConnection>), database }
}

export function urlOf(database: string): string {
  const { host, port, user, password } = connection()
  return `postgresql://${user}:${password}@/${database}?host=${encodeURIComponent(host)}&port=${port}`
}

/** A separate connection to a database. */
export async function withConnection<T>(
  database: string | ServerConnection,
  run: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(database)
  await client.connect()
  try {
    return await run(client)
  } finally {
    await client.end()
  }
}

export async function createDatabase(name: string, template = TEMPLATE): Promise<string> {
  // Copies files: the default strategy reads and logs each page, a multiple of the processor time.
  const sql = `create database ${name} template ${template} strategy file_copy`
  await withConnection(connection(), (client) => client.query(sql))
  return urlOf(name)
}

let count = 0

/** A separate database for a test, cloned from the template: schema, queue, one workspace with its admin. */
export function cloneDatabase(template = TEMPLATE): Promise<string> {
  return createDatabase(`t_${process.pid}_${++count}`, template)
}
