import { writeFileSync } from 'node:fs'
import type { Command } from 'commander'
import type { RejectedRow } from '../imports/batches.ts'
import { ACCOUNT_COLUMNS, PEOPLE_COLUMNS } from '../imports/columns.ts'
import { readCsv } from '../imports/csv-file.ts'
import { chooseWorkspace, withDatabase } from './context.ts'
import { importCompaniesCommand } from './import-companies.ts'
import {
  addImportCommand,
  formatImportSummary,
  formatRejectedLine,
  type ImportCommandOptions,
  MAX_SHOWN_REJECTIONS,
  parseColumnOptions,
  showImportProgress,
} from './import-options.ts'

/** How each is stored is loaded by whoever imports it. */
const KINDS = {
  accounts: {
    columns: ACCOUNT_COLUMNS,
    required: [['name', 'domain']],
    load: async () => (await import('../imports/accounts.ts')).importAccounts,
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

export function importCommands(program: Command): void {
  const group = program.command('import')
  for (const [kind, { columns, required, load }] of Object.entries(KINDS)) {
    const description = `Import ${kind} from a CSV file, - for standard input; its columns are found by their names`
    addImportCommand(group, kind, description, Object.keys(columns)).action(
      (file: string, { workspace, json, dryRun = false, column = [], report: reportFile }: ImportCommandOptions) =>
        withDatabase(async ({ db, secrets }) => {
          const workspaceId = await chooseWorkspace(db, workspace)
          const rows = readCsv(file, columns, required, parseColumnOptions(column))
          const rejected: RejectedRow[] = []
          const onRejected = (line: RejectedRow) => void rejected.push(line)
          const importAll = await load()
          const outcome = await importAll({ db, secrets }, workspaceId, rows, {
            dryRun,
            onProgress: showImportProgress,
            onRejected,
          })
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
