import { readFileSync } from 'node:fs'
import type { Schemas } from '@bellwether/client'
import type { Command } from 'commander'
import type { TerminalIo } from '../terminal/io.ts'
import { parseWholeNumber, readStdin, remoteCommand, withSession } from './session.ts'

type PreviewOptions = { days?: number; text?: string; file?: string; title?: string; company?: string }

export function signalCommands(program: Command, io: TerminalIo): void {
  const signals = program.command('signals')

  remoteCommand(signals, 'list', 'List the signals', ['signals list']).action(
    withSession(io, async ({ client, out, json }) => {
      const all = await client.get('/v1/signals')
      if (json) return out.json(all)
      out.table<Schemas['Signal']>(
        [
          { title: 'ID', value: ({ id }) => id, whole: true },
          { title: 'ENABLED', value: ({ enabled }) => (enabled ? 'yes' : 'no') },
          { title: '30 DAYS', value: ({ findings_30d }) => findings_30d, right: true },
          { title: 'NAME', value: ({ name }) => name },
          { title: 'DESCRIPTION', value: ({ description }) => description },
        ],
        all,
      )
    }),
  )

  remoteCommand(
    signals,
    'preview <description>',
    'Test a signal before you create it: on documents already read, or on a text',
    [
      'signals preview "The company opens a new warehouse" --days 90',
      'signals preview "The company opens a new warehouse" --file article.txt --company Acme',
    ],
  )
    .option('--days <n>', 'only documents of the last n days', parseWholeNumber)
    .option('--text <text>', 'test on this text')
    .option('--file <file>', 'test on the text in a file, - for stdin')
    .option('--title <title>', 'title of the text')
    .option('--company <name>', 'company that the text is about')
    .action(
      withSession(io, async ({ client, out, json, note }, description: string, options: PreviewOptions) => {
        const { days, title, company, file } = options
        const text =
          options.text ??
          (file === undefined ? undefined : file === '-' ? await readStdin(io) : readFileSync(file, 'utf8'))
        const body = { description, days, title, company, text }
        const preview = await client.post('/v1/signals/preview', { body: withoutUndefined(body) })
        if (json) return out.json(preview)
        for (const { sentence, confidence } of preview.matches) out.text(`${percent(confidence)}  “${sentence}”`)
        for (const { account_name, sentence, confidence, source_url, published_date } of preview.findings) {
          out.text(`${percent(confidence)}  ${account_name}: “${sentence}”`)
          if (source_url) out.line('       ', [source_url, published_date].filter(Boolean).join('  '))
        }
        for (const { url, reason } of preview.unread) note(`${url} could not be read: ${reason}`)
        const read = preview.documents === null ? '' : ` in ${preview.documents} documents`
        note(`${preview.matches.length + preview.findings.length} found${read}.`)
      }),
    )

  remoteCommand(signals, 'create <name> <description>', 'Create a signal from a description', [
    'signals create "New warehouse" "The company opens a new warehouse"',
  ])
    .option('--disabled', 'create it disabled')
    .action(
      withSession(
        io,
        async ({ client, out, json }, name: string, description: string, { disabled }: { disabled?: boolean }) => {
          const signal = await client.post('/v1/signals', { body: { name, description, enabled: !disabled } })
          if (json) out.json(signal)
          else out.line(signal.id)
        },
      ),
    )
}

const percent = (confidence: number) => `${String(Math.round(confidence * 100)).padStart(3)} %`

function withoutUndefined<T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never
}
