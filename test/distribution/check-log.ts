import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadModule } from 'libpg-query'
import type pg from 'pg'
import { DISTRIBUTED } from '../../src/db/distribution.ts'
import type { LoggedStatement } from '../support/statement-log.ts'
import { checkStatement, type Schema, type Violation } from './check-statement.ts'
import { RULES } from './rules.ts'

/** Views over distributed tables. */
const VIEWS = [['account_names', 'workspace_id']] as const

/** What is not sent to a distributed database as it stands. */
const LEFT_OUT = [
  // Migrations change one table after another; docs/adding.md says how on a distributed database.
  /^src\/db\/(?:migrations\/|migrate\.)/,
  // Each server of a cluster is backed up by the means of PostgreSQL (docs/operating-distributed.md).
  /^src\/db\/snapshot\./,
  // Prepares tables that are not distributed yet.
  /^src\/db\/distribution\./,
  // Statements of tests and of the emulated internet.
  /^(?:test|sandbox)\/|\.test\.ts/,
]

/** The statements of a log that a distributed database would refuse, or answer only by asking every shard. */
export async function checkLog(folder: string, database: pg.Client): Promise<{ checked: number; report: string[] }> {
  await loadModule()
  const schema = await readSchema(database)
  const logged = new Map<string, string>()
  for (const file of globSync(join(folder, '*.ndjson')))
    for (const line of readFileSync(file, 'utf8').trim().split('\n')) {
      const { text, sentFrom } = JSON.parse(line) as LoggedStatement
      if (!LEFT_OUT.some((pattern) => pattern.test(sentFrom))) logged.set(text, sentFrom)
    }
  const found = [...logged].flatMap(([text, sentFrom]) => {
    const violations = checkStatement(text, schema)
    return violations.length > 0 ? describe(text, sentFrom, violations) : []
  })
  return { checked: logged.size, report: found }
}

function describe(text: string, sentFrom: string, violations: Violation[]): string {
  const broken = violations.map(({ rule, about }) => `  ${rule} (${about}): ${RULES[rule].is}`).join('\n')
  return `${sentFrom}\n${broken}\n  ${text.replace(/\s+/g, ' ').slice(0, 1_000)}`
}

export async function readSchema(database: pg.Client): Promise<Schema> {
  const functions = (volatilities: string) => `
    select proname as name from pg_proc group by 1 having bool_and(provolatile = any('{${volatilities}}'))`
  const names = async (sql: string) =>
    new Set((await database.query<{ name: string }>(sql)).rows.map(({ name }) => name))
  const tables = await names(
    `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  )
  return {
    distributed: new Map([...DISTRIBUTED, ...VIEWS]),
    local: new Set([...tables].filter((table) => !DISTRIBUTED.has(table))),
    // The parser has nodes of their own for the last ones.
    mutable: new Set([...(await names(functions('s,v'))), 'current_timestamp', 'current_date']),
    volatile: await names(functions('v')),
  }
}
