import { hostname, userInfo } from 'node:os'
import type pg from 'pg'
import type { Logger } from 'pino'
import { createLogger } from '../app/log.ts'
import { openDatabase } from '../app/open-database.ts'
import { audited } from '../audit/record.ts'
import { recordAt } from '../audit/records.ts'
import { hasAuditLog, listHeads } from '../audit/store.ts'
import { type Config, loadConfig } from '../config/config.ts'
import type { Db } from '../db/connect.ts'
import { getWorkspace, listWorkspaces } from '../resources/workspaces/store.ts'
import { loadKeyRing } from '../setup/key-ring.ts'
import { SetupError } from '../shared/errors.ts'
import { isId } from '../shared/ids.ts'
import { loadSecrets, type Secrets } from '../shared/secrets.ts'
import { sanitizedJson, sanitizeLine } from './terminal/sanitize.ts'

export type CliContext = {
  db: Db
  pool: pg.Pool
  secrets: Secrets
  config: Config
  log: Logger
  now: () => Date
}

/**
 * Runs against the database of the service: the configured one, the one a running service has open, or the one in DATA_DIR.
 * Loads no other part of the service, which would take longer than most commands; `withServiceParts` does.
 */
export async function withDatabase<T>(run: (context: CliContext) => Promise<T>): Promise<T> {
  const { config, log } = loadCommandConfig()
  await using database = await openDatabase(config, log, { share: true })
  const secrets = loadSecrets(config.SECRETS_KEY, config.DATA_DIR)
  const { db, pool } = database
  await loadKeyRing(db, secrets)
  return await run({ db, pool, secrets, config, log, now: () => new Date() })
}

/** The configuration, and a log on stderr that reports problems only unless LOG_LEVEL is set. */
export function loadCommandConfig(): { config: Config; log: Logger } {
  const config = loadConfig()
  return {
    config,
    log: createLogger({ ...config, LOG_LEVEL: config.LOG_LEVEL === 'info' ? 'warn' : config.LOG_LEVEL }, 2),
  }
}

/** A change of a command: the operation that does the same, the path of its record, and the id if it is known. */
type RecordedChange = { action: string; path?: string; id?: string | undefined }

/** The name of the user of the operating system; in a container, a user may have none. */
function userName(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.()}`
  }
}

/** Makes a change with its entry in the audit log, in the name of the user of the operating system. */
export function recorded<T>(
  db: Db,
  workspaceId: string,
  { action, path = '', id }: RecordedChange,
  run: () => Promise<T>,
): Promise<T> {
  const personal = { name: userName(), user_agent: `bellwether on ${hostname()}` }
  const source = { workspace_id: workspaceId, actor: 'command_line', personal } as const
  return audited(db, source, action, { record: recordAt(path), id: id ?? null }, run, (result) =>
    typeof result === 'object' && result !== null && 'id' in result ? String(result.id) : null,
  )
}

/** The same for what concerns all workspaces: each has an entry. Without an audit log, before a migration, there is none. */
export async function recordedInAll<T>(db: Db, action: string, run: () => Promise<T>): Promise<T> {
  const heads = (await hasAuditLog(db)) ? await listHeads(db, null) : []
  return heads.reduce(
    (next, { workspace_id }) =>
      () =>
        recorded(db, workspace_id, { action }, next),
    run,
  )()
}

/** The workspace for a command: the one given, or the only one. */
export async function chooseWorkspace(db: Db, given: string | undefined): Promise<string> {
  if (given) {
    if (!isId(given))
      throw new SetupError(`--workspace ${given} is not an id. "bellwether workspaces list" shows the ids.`)
    return (await getWorkspace(db, given)).id
  }
  const all = await listWorkspaces(db)
  if (all.length === 1 && all[0]) return all[0].id
  throw new SetupError(
    all.length === 0
      ? 'There is no workspace yet. Start the service once, or run "bellwether workspaces create".'
      : 'There are several workspaces: choose one with --workspace. "bellwether workspaces list" shows them.',
  )
}

/** Prints records as a table or as JSON, without the control characters that names may contain. */
export function printRecords(records: object | object[], json: boolean | undefined): void {
  if (json) {
    process.stdout.write(`${sanitizedJson(records, 2)}\n`)
    return
  }
  const rows = [records].flat() as Record<string, unknown>[]
  if (rows.length === 0) {
    process.stdout.write('No records.\n')
    return
  }
  const columns = Object.keys(rows[0] ?? {})
  const cells = [columns, ...rows.map((row) => columns.map((column) => sanitizeLine(String(row[column] ?? '-'))))]
  const widths = columns.map((_, at) => Math.max(...cells.map((row) => row[at]?.length ?? 0)))
  for (const row of cells) {
    process.stdout.write(
      `${row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd()}\n`,
    )
  }
}
