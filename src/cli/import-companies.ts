import { createWriteStream, type WriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import type { Command } from 'commander'
import type { RejectedRow } from '../imports/batches.ts'
import { COMPANY_COLUMNS } from '../imports/columns.ts'
import { importCompanies } from '../imports/companies.ts'
import { readCsvSource } from '../imports/csv-file.ts'
import { readNdjson } from '../imports/ndjson-file.ts'
import { openImportFile } from '../imports/source.ts'
import { chooseWorkspace, withDatabase } from './context.ts'
import {
  addImportCommand,
  formatImportSummary,
  formatRejectedLine,
  type ImportCommandOptions,
  MAX_SHOWN_REJECTIONS,
  parseColumnOptions,
  showImportProgress,
} from './import-options.ts'

const DESCRIPTION =
  'Import companies for discovery to look into, as many as there are, from CSV or one JSON object a line, gzip or plain; - for standard input'

export function importCompaniesCommand(group: Command): void {
  addImportCommand(group, 'companies', DESCRIPTION, Object.keys(COMPANY_COLUMNS)).action(
    (file: string, { workspace, json, dryRun = false, column = [], report: reportFile }: ImportCommandOptions) =>
      withDatabase(async ({ db, pool }) => {
        const workspaceId = await chooseWorkspace(db, workspace)
        const source = await openImportFile(file)
        const given = parseColumnOptions(column)
        const rows = /^\ufeff?\s*\{/.test(source.head)
          ? readNdjson(source, COMPANY_COLUMNS, given)
          : readCsvSource(source, COMPANY_COLUMNS, [['domain']], given)
        const rejected = new RejectedLines(reportFile)
        const client = await pool.connect()
        const report = await importCompanies(client, workspaceId, rows, {
          dryRun,
          onProgress: showImportProgress,
          onRejected: (line) => rejected.add(line),
        }).finally(() => client.release())
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

/** The first lines are kept to be shown; all go to the report as they come, because they may be millions. */
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
