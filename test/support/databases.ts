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

export async function createDatabase(name: string, template = TEMPLATE): Promise<string> {
  const client = new pg.Client(connection())
  await client.connect()
  try {
    await client.query(`create database ${name} template ${template}`)
  } finally {
    await client.end()
  }
  return urlOf(name)
}

let count = 0

/** A separate database for a test, cloned from the template: schema, queue, one workspace with its admin. */
export function cloneDatabase(template = TEMPLATE): Promise<string> {
  return createDatabase(`t_${process.pid}_${++count}`, template)
}
