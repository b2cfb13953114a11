import { writeFileSync } from 'node:fs'
import type { Command } from 'commander'
import { SetupError } from '../errors.ts'
import { importAccounts } from '../imports/accounts.ts'
import type { Report } from '../imports/batches.ts'
import { ACCOUNT_COLUMNS, PEOPLE_COLUMNS } from '../imports/columns.ts'
import { readCsv } from '../imports/csv-file.ts'
import { importPeople } from '../imports/people.ts'
import { chooseWorkspace, withDatabase } from './context.ts'

type Options = { workspace?: string; json?: boolean; dryRun?: boolean; column?: string[]; report?: string }

const SHOWN = 20

const KINDS = {
  accounts: { columns: ACCOUNT_COLUMNS, required: [['name', 'domain']], run: importAccounts },
  people: {
    columns: PEOPLE_COLUMNS,
    required: [
      ['full_name', 'first_name', 'last_name'],
      ['domain', 'email'],
    ],
    run: importPeople,
  },
}

export function importCommands(program: Command): void {
  const group = program.command('import').description('Bring records in from a file')
  for (const [kind, { columns, required, run }] of Object.entries(KINDS)) {
    group
      .command(`${kind} <file.csv>`)
      .description(`Import ${kind} from a CSV file; its columns are found by their names`)
      .option('--column <field=header...>', `say which column is which; fields: ${Object.keys(columns).join(', ')}`)
      .option('--dry-run', 'read and check everything, store nothing')
      .option('--report <file>', 'write the rejected lines with their reasons to a CSV file')
      .option('--workspace <id>', 'which workspace; the only one when absent')
      .option('--json', 'answer as JSON')
      .action((file: string, { workspace, json, dryRun = false, column = [], report: reportFile }: Options) =>
        withDatabase(async ({ db, secrets }) => {
          const workspaceId = await chooseWorkspace(db, workspace)
          const rows = readCsv(file, columns, required, readColumns(column))
          const report = await run({ db, secrets }, workspaceId, rows, { dryRun, onProgress: showProgress })
          if (process.stderr.isTTY) process.stderr.write('\n')
          if (reportFile) writeReport(reportFile, report)
          process.stdout.write(
            json ? `${JSON.stringify({ ...report, dry_run: dryRun })}\n` : summary(report, kind, dryRun, reportFile),
          )
          if (report.rows > 0 && report.rejected.length === report.rows) process.exitCode = 1
        }),
      )
  }
}

function readColumns(given: string[]): Record<string, string> {
  return Object.fromEntries(
    given.map((pair) => {
      const at = pair.indexOf('=')
      if (at < 1) throw new SetupError(`--column ${pair} must be FIELD=HEADER, such as domain="Company website".`)
      return [pair.slice(0, at), pair.slice(at + 1)]
    }),
  )
}

/** A bar on a terminal, nothing elsewhere. */
function showProgress({ rows }: Report, progress: number): void {
  if (!process.stderr.isTTY) return
  const done = Math.round(progress * 30)
  process.stderr.write(`\r[${'#'.repeat(done)}${' '.repeat(30 - done)}] ${Math.round(progress * 100)} %  ${rows} rows`)
}

function writeReport(file: string, { rejected }: Report): void {
  const lines = rejected.map(({ line, reason }) => `${line},"${reason.replaceAll('"', '""')}"`)
  writeFileSync(file, `${['line,reason', ...lines].join('\r\n')}\r\n`)
}

function summary(
  { rows, created, existing, rejected }: Report,
  kind: string,
  dryRun: boolean,
  reportFile: string | undefined,
): string {
  const lines = [
    `${rows} rows read${dryRun ? ' (dry run: nothing was stored)' : ''}`,
    `${created} ${kind} ${dryRun ? 'would be added' : 'added'}, ${existing} were there already, ${rejected.length} rejected`,
    ...rejected.slice(0, SHOWN).map(({ line, reason }) => `  line ${line}: ${reason}`),
  ]
  if (rejected.length > SHOWN)
    lines.push(`  … and ${rejected.length - SHOWN} more${reportFile ? '' : '; --report FILE writes them all'}`)
  return `${lines.join('\n')}\n`
}
