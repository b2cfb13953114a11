import { createWriteStream, type WriteStream, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { finished } from 'node:stream/promises'
import type { Command } from 'commander'
import type { RejectedRow } from '../imports/batches.ts'
import { ACCOUNT_COLUMNS, COMPANY_COLUMNS, PEOPLE_COLUMNS } from '../imports/column-names.ts'
import { importCompanies } from '../imports/companies.ts'
import { readCsv, readCsvSource } from '../imports/csv-file.ts'
import { readNdjson } from '../imports/ndjson-file.ts'
import { openImportFile } from '../imports/source.ts'
import { SetupError } from '../shared/errors.ts'
import { chooseWorkspace, recorded, withDatabase } from './context.ts'

/** The code that stores each kind is loaded only by its command. */
const KINDS = {
  accounts: {
    columns: ACCOUNT_COLUMNS,
    required: [['name', 'domain']],
    load: async () => (await import('../imports/recorded-import.ts')).importRecordedAccounts,
  },
  people: {
    columns: PEOPLE_COLUMNS,
    required: [
      ['full_name', 'first_name', 'last_name'],
      ['domain', 'email'],
    ],
    load: async () => (await import('../imports/people.ts')).importPeople,
  },
}

/** The operations of the API; people are imported here only. */
const ACTIONS = { accounts: 'importAccounts', people: 'importPeople' }

export function importCommands(program: Command): void {
  const group = program.command('import')
  for (const [kind, { columns, required, load }] of Object.entries(KINDS)) {
    const description = `Import ${kind} from a CSV file, - for standard input; columns are recognized by their headers and contents`
    addImportCommand(group, kind, description, Object.keys(columns)).action(
      (file: string, { workspace, json, dryRun = false, column = [], report: reportFile }: ImportCommandOptions) =>
        withDatabase(async ({ db, secrets, now }) => {
          const workspaceId = await chooseWorkspace(db, workspace)
          const rows = readCsv(file, columns, required, parseColumnOptions(column))
          const rejected: RejectedRow[] = []
          const onRejected = (line: RejectedRow) => void rejected.push(line)
          const importAll = await load()
          const run = () =>
            importAll({ db, secrets, now }, workspaceId, rows, {
              dryRun,
              fileName: file === '-' ? null : basename(file),
              onProgress: showImportProgress,
              onRejected,
            })
          const change = { action: ACTIONS[kind as keyof typeof KINDS], path: '/accounts/import' }
          const outcome = dryRun ? await run() : await recorded(db, workspaceId, change, run)
          if (process.stderr.isTTY) process.stderr.write('\n')
          if (reportFile) writeFileSync(reportFile, ['line,reason\r\n', ...rejected.map(formatRejectedLine)].join(''))
          process.stdout.write(
            json
              ? `${JSON.stringify({ ...outcome, rejected, dry_run: dryRun })}\n`
              : formatImportSummary(outcome, rejected.slice(0, MAX_SHOWN_REJECTIONS), kind, {
                  dryRun,
                  ...(reportFile ? { report: reportFile } : {}),
                }),
          )
          if (outcome.rows > 0 && outcome.rejected === outcome.rows) process.exitCode = 1
        }),
    )
  }
  importCompaniesCommand(group)
}

const DESCRIPTION =
  'Import any number of companies for discovery to check, from CSV or NDJSON, gzipped or plain; - for standard input'

function importCompaniesCommand(group: Command): void {
  addImportCommand(group, 'companies', DESCRIPTION, Object.keys(COMPANY_COLUMNS)).action(
    (file: string, { workspace, json, dryRun = false, column = [], report: reportFile }: ImportCommandOptions) =>
      withDatabase(async ({ db, pool, config }) => {
        const workspaceId = await chooseWorkspace(db, workspace)
        const source = await openImportFile(file)
        const given = parseColumnOptions(column)
        const rows = /^\ufeff?\s*\{/.test(source.head)
          ? readNdjson(source, COMPANY_COLUMNS, given)
          : readCsvSource(source, COMPANY_COLUMNS, [['domain']], given)
        const rejected = new RejectedLines(reportFile)
        const client = await pool.connect()
        const run = () =>
          importCompanies(client, workspaceId, rows, {
            dryRun,
            session: config.DATABASE_PREPARE,
            onProgress: showImportProgress,
            onRejected: (line) => rejected.add(line),
          })
        const change = { action: 'importCompanies', path: '/companies' }
        const report = await (dryRun ? run() : recorded(db, workspaceId, change, run)).finally(() => client.release())
        await rejected.end()
        if (process.stderr.isTTY) process.stderr.write('\n')
        const { shown } = rejected
        process.stdout.write(
          json
            ? `${JSON.stringify({ ...report, sample: shown, dry_run: dryRun })}\n`
            : formatImportSummary(report, shown, 'companies', {
                dryRun,
                ...(reportFile ? { report: reportFile } : {}),
              }),
        )
        if (report.rows > 0 && report.rejected === report.rows) process.exitCode = 1
      }),
  )
}

/** Keeps the first rejected lines for the summary and streams all of them to the report, as there may be millions. */
class RejectedLines {
  readonly shown: RejectedRow[] = []
  readonly #file: WriteStream | null

  constructor(file: string | undefined) {
    this.#file = file ? createWriteStream(file) : null
    this.#file?.write('line,reason\r\n')
  }

  add(rejected: RejectedRow): void {
    if (this.shown.length < MAX_SHOWN_REJECTIONS) this.shown.push(rejected)
    this.#file?.write(formatRejectedLine(rejected))
  }

  async end(): Promise<void> {
    if (!this.#file) return
    this.#file.end()
    await finished(this.#file)
  }
}

type ImportCommandOptions = {
  workspace?: string
  json?: boolean
  dryRun?: boolean
  column?: string[]
  report?: string
}

/** RejectedRow lines shown in a summary; the report contains all of them. */
const MAX_SHOWN_REJECTIONS = 20

/** Adds a command that imports one kind of record, with the options of all import commands. */
function addImportCommand(group: Command, kind: string, description: string, fields: string[]): Command {
  return group
    .command(`${kind} <file>`)
    .description(description)
    .option('--column <field=header...>', `map a field to a column; fields: ${fields.join(', ')}`)
    .option('--dry-run', 'validate everything, store nothing')
    .option('--report <file>', 'write the rejected lines with their reasons to a CSV file')
    .option('--workspace <id>', 'id of the workspace; optional when there is only one')
    .option('--json', 'print JSON')
}

function parseColumnOptions(given: string[]): Record<string, string> {
  return Object.fromEntries(
    given.map((pair) => {
      const at = pair.indexOf('=')
      if (at < 1) throw new SetupError(`--column ${pair} must be FIELD=HEADER, such as domain="Company website".`)
      return [pair.slice(0, at), pair.slice(at + 1)]
    }),
  )
}

/** Shows a progress bar if stderr is a terminal. */
function showImportProgress({ rows }: { rows: number }, progress: number | null): void {
  if (!process.stderr.isTTY) return
  if (progress === null) {
    process.stderr.write(`\r${rows} rows`)
    return
  }
  const done = Math.round(progress * 30)
  process.stderr.write(`\r[${'#'.repeat(done)}${' '.repeat(30 - done)}] ${Math.round(progress * 100)} %  ${rows} rows`)
}

/** A CSV line of the report of rejected lines. */
function formatRejectedLine({ line, reason }: RejectedRow): string {
  return `${line},"${reason.replaceAll('"', '""')}"\r\n`
}

type Outcome = { rows: number; created: number; existing: number; rejected: number }

/** The outcome of an import as text. `shown` are the first rejected lines. */
function formatImportSummary(
  { rows, created, existing, rejected }: Outcome,
  shown: RejectedRow[],
  kind: string,
  { dryRun, report }: Pick<ImportCommandOptions, 'dryRun' | 'report'>,
): string {
  const lines = [
    `${rows} rows read${dryRun ? ' (dry run: nothing was stored)' : ''}`,
    `${created} ${kind} ${dryRun ? 'would be added' : 'added'}, ${existing} existed already, ${rejected} rejected`,
    ...shown.map(({ line, reason }) => `  line ${line}: ${reason}`),
  ]
  if (rejected > MAX_SHOWN_REJECTIONS)
    lines.push(`  … and ${rejected - MAX_SHOWN_REJECTIONS} more${report ? '' : '; --report FILE writes them all'}`)
  return `${lines.join('\n')}\n`
}
