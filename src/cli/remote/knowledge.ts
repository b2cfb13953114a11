import { readFileSync } from 'node:fs'
import type { Schemas } from '@bellwether/client'
import { resolveKnowledgeSection } from '@bellwether/client/names'
import type { Command } from 'commander'
import { CliError, EXIT_CODES } from '../terminal/exit-codes.ts'
import type { TerminalIo } from '../terminal/io.ts'
import { withStyle } from '../terminal/output.ts'
import { readStdin, remoteCommand, withSession } from './session.ts'

type EditOptions = { file?: string; title?: string }

export function knowledgeCommands(program: Command, io: TerminalIo): void {
  const knowledge = program.command('knowledge')

  remoteCommand(knowledge, 'list', 'List the sections', ['knowledge list']).action(
    withSession(io, async ({ client, out, json }) => {
      const sections = await client.get('/v1/knowledge-base')
      if (json) return out.json(sections)
      out.table<Schemas['KnowledgeSection']>(
        [
          { title: 'TITLE', value: ({ title }) => title },
          { title: 'TYPE', value: ({ type }) => type },
          { title: 'LENGTH', value: ({ content_md }) => content_md.length, right: true },
          { title: 'ID', value: ({ id }) => id, whole: true },
        ],
        sections,
      )
    }),
  )

  remoteCommand(knowledge, 'show <section>', 'Show a section, by title or id', [
    'knowledge show "Ideal customer"',
  ]).action(
    withSession(io, async ({ client, out, json }, given: string) => {
      const section = await resolveKnowledgeSection(client, given)
      if (json) return out.json(section)
      if (out.isTerminal) out.line(withStyle('bold', section.title))
      out.text(section.content_md)
    }),
  )

  remoteCommand(knowledge, 'edit <section>', 'Change a section: in $EDITOR on a terminal, or from a file', [
    'knowledge edit "Ideal customer"',
    'knowledge edit "Ideal customer" --file icp.md',
  ])
    .option('--file <file>', 'read the text from a file, - for stdin')
    .option('--title <title>', 'set a new title')
    .action(
      withSession(io, async ({ client, out, json, note }, given: string, { file, title }: EditOptions) => {
        const section = await resolveKnowledgeSection(client, given)
        const content_md = await newText(io, section.content_md, file, title !== undefined)
        if (content_md === section.content_md && title === undefined) return note('Nothing was changed.')
        const body = { content_md, ...(title === undefined ? {} : { title }) }
        const changed = await client.patch('/v1/knowledge-base/{id}', { path: { id: section.id }, body })
        if (json) out.json(changed)
        else out.line(`${changed.title} was changed.`)
      }),
    )
}

async function newText(io: TerminalIo, text: string, file: string | undefined, retitled: boolean): Promise<string> {
  if (file === '-') return readStdin(io)
  if (file !== undefined) return readFileSync(file, 'utf8')
  if (retitled) return text
  if (io.stdin.isTTY && io.stdout.isTTY) return io.edit(text)
  throw new CliError(
    EXIT_CODES.usage,
    'There is no terminal for an editor. Give the text with --file, or --file - for stdin.',
  )
}
