import type { Command } from 'commander'
import { SetupError } from '../errors.ts'
import type { Rejected } from '../imports/batches.ts'

export type ImportCommandOptions = {
  workspace?: string
  json?: boolean
  dryRun?: boolean
  column?: string[]
  report?: string
}

/** Rejected lines shown in a summary; the report contains all of them. */
export const MAX_SHOWN_REJECTIONS = 20

/** Adds a command that imports one kind of record, with the options of all import commands. */
export function addImportCommand(group: Command, kind: string, description: string, fields: string[]): Command {
  return group
    .command(`${kind} <file>`)
    .description(description)
    .option('--column <field=header...>', `map a field to a column; fields: ${fields.join(', ')}`)
    .option('--dry-run', 'validate everything, store nothing')
    .option('--report <file>', 'write the rejected lines with their reasons to a CSV file')
    .option('--workspace <id>', 'id of the workspace; optional when there is only one')
    .option('--json', 'print JSON')
}

export function parseColumnOptions(given: string[]): Record<string, string> {
  return Object.fromEntries(
    given.map((pair) => {
      const at = pair.indexOf('=')
      if (at < 1) throw new SetupError(`--column ${pair} must be FIELD=HEADER, such as domain="Company website".`)
      return [pair.slice(0, at), pair.slice(at + 1)]
    }),
  )
}

/** Shows a progress bar if stderr is a terminal. */
export function showImportProgress({ rows }: { rows: number }, progress: number | null): void {
  if (!process.stderr.isTTY) return
  if (progress === null) {
    process.stderr.write(`\r${rows} rows`)
    return
  }
  const done = Math.round(progress * 30)
  process.stderr.write(`\r[${'#'.repeat(done)}${' '.repeat(30 - done)}] ${Math.round(progress * 100)} %  ${rows} rows`)
}

/** A CSV line of the report of rejected lines. */
export function formatRejectedLine({ line, reason }: Rejected): string {
  return `${line},"${reason.replaceAll('"', '""')}"\r\n`
}

type Outcome = { rows: number; created: number; existing: number; rejected: number }

/** The outcome of an import as text. `shown` are the first rejected lines. */
export function formatImportSummary(
  { rows, created, existing, rejected }: Outcome,
  shown: Rejected[],
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
