import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Command } from 'commander'
import { exportFeedback } from '../resources/detections/export.ts'
import { chooseWorkspace, recorded, withDatabase } from './context.ts'

export function exportCommands(program: Command): void {
  const group = program.command('export')

  group
    .command('feedback')
    .description('Write the feedback of members on findings as NDJSON, for "npm run eval -- <file>"')
    .option('--workspace <id>', 'id of the workspace; optional when there is only one')
    .option('--out <file>', 'output file; standard output when absent')
    .action(({ workspace, out }: { workspace?: string; out?: string }) =>
      withDatabase(async ({ db }) => {
        const workspaceId = await chooseWorkspace(db, workspace)
        let count = 0
        async function* lines() {
          for await (const record of exportFeedback(db, workspaceId)) {
            count++
            yield `${JSON.stringify(record)}\n`
          }
        }
        await recorded(db, workspaceId, { action: 'exportFeedback' }, async () => {
          if (out === undefined) await pipeline(Readable.from(lines()), process.stdout, { end: false })
          else await pipeline(Readable.from(lines()), createWriteStream(out))
          return { records: count }
        })
        if (out !== undefined)
          process.stderr.write(`${count} judged ${count === 1 ? 'proof' : 'proofs'} written to ${out}.\n`)
      }),
    )
}
