import type { Command } from 'commander'
import type { RejectedRow } from '../imports/batches.ts'
import { SetupError } from '../shared/errors.ts'

export type ImportCommandOptions = {
  workspace?: string
  json?: boolean
  dryRun?: boolean
  column?: string[]
  report?: string
}

/** Rejected lines shown in a summary; a report has them all. */
export const MAX_SHOWN_REJECTIONS = 20

/** A command that imports one kind of records, with the options that all such commands take. */
export function addImportCommand(group: Command, kind: string, description: string, fields: string[]): Command {
  return group
    .command(`${kind} <file>`)
    .description(description)
    .option('--column <field=header...>', `say which column is which; fields: ${fields.join(', ')}`)
    .option('--dry-run', 'read and check everything, store nothing')
    .option('--report <file>', 'write the rejected lines with their reasons to a CSV file')
    .option('--workspace <id>', 'which workspace; the only one when absent')
    .option('--json', 'answer as JSON')
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

/** A bar on a terminal, nothing elsewhere. */
export function showImportProgress({ rows }: { rows: number }, progress: number | null): void {
  if (!process.stderr.isTTY) return
  if (progress === null) {
    process.stderr.write(`\r${rows} rows`)
    return
  }
  const done = Math.round(progress * 30)
  process.stderr.write(`\r[${'#'.repeat(done)}${' '.repeat(30 - done)}] ${Math.round(progress * 100)} %  ${rows} rows`)
}

/** A line of a report of rejected lines. */
export function formatRejectedLine({ line, reason }: RejectedRow): string {
  return `${line},"${reason.replaceAll('"', '""')}"\r\n`
}

type Outcome = { rows: number; created: number; existing: number; rejected: number }

/** What an import did, for a person. `shown` are the first rejected lines. */
export function formatImportSummary(
  { rows, created, existing, rejected }: Outcome,
  shown: RejectedRow[],
  kind: string,
  { dryRun, report }: Pick<ImportCommandOptions, 'dryRun' | 'report'>,
): string {
  const lines = [
    `${rows} rows read${dryRun ? ' (dry run: nothing was stored)' : ''}`,
    `${created} ${kind} ${dryRun ? 'would be added' : 'added'}, ${existing} were there already, ${rejected} rejected`,
    ...shown.map(({ line, reason }) => `  line ${line}: ${reason}`),
  ]
  if (rejected > MAX_SHOWN_REJECTIONS)
    lines.push(`  … and ${rejected - MAX_SHOWN_REJECTIONS} more${report ? '' : '; --report FILE writes them all'}`)
  return `${lines.join('\n')}\n`
}
