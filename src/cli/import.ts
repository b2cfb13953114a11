import { writeFileSync } from 'node:fs'
import type { Command } from 'commander'
import { importAccounts } from '../imports/accounts.ts'
import { ACCOUNT_COLUMNS, PEOPLE_COLUMNS } from '../imports/columns.ts'
import { readCsv } from '../imports/csv-file.ts'
import { importPeople } from '../imports/people.ts'
import { chooseWorkspace, withDatabase } from './context.ts'
import { companiesCommand } from './import-companies.ts'
import {
  type ImportOptions,
  importCommand,
  readColumns,
  reportLine,
  SHOWN,
  showProgress,
  summary,
} from './import-options.ts'

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
    const description = `Import ${kind} from a CSV file, - for standard input; its columns are found by their names`
    importCommand(group, kind, description, Object.keys(columns)).action(
      (file: string, { workspace, json, dryRun = false, column = [], report: reportFile }: ImportOptions) =>
        withDatabase(async ({ db, secrets }) => {
          const workspaceId = await chooseWorkspace(db, workspace)
          const rows = readCsv(file, columns, required, readColumns(column))
          const report = await run({ db, secrets }, workspaceId, rows, { dryRun, onProgress: showProgress })
          const { rejected } = report
          if (process.stderr.isTTY) process.stderr.write('\n')
          if (reportFile) writeFileSync(reportFile, ['line,reason\r\n', ...rejected.map(reportLine)].join(''))
          const outcome = { ...report, rejected: rejected.length }
          process.stdout.write(
            json
              ? `${JSON.stringify({ ...report, dry_run: dryRun })}\n`
              : summary(outcome, rejected.slice(0, SHOWN), kind, {
                  dryRun,
                  ...(reportFile ? { report: reportFile } : {}),
                }),
          )
          if (report.rows > 0 && rejected.length === report.rows) process.exitCode = 1
        }),
    )
  }
  companiesCommand(group)
}
