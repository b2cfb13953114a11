import { Bellwether } from '@bellwether/client'
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { TerminalIo } from '../terminal/io.ts'
import { TerminalOutput } from '../terminal/output.ts'
import { resolveTarget, type TargetOptions } from './target.ts'

export type CommonOptions = TargetOptions & { json?: boolean; quiet?: boolean }

/** The client and the output of one command. */
export type CommandSession = {
  client: Bellwether
  io: TerminalIo
  out: TerminalOutput
  err: TerminalOutput
  json: boolean
  quiet: boolean
  /** Prints a remark on stderr, unless --quiet is set. */
  note: (text: string) => void
}

/** Adds a command that calls a service, with the common options and its examples. The menu of main.ts describes top-level commands. */
export function remoteCommand(parent: Command, usage: string, description: string | null, examples: string[]): Command {
  return commonOptions(
    parent
      .command(usage)
      .description(description ?? '')
      .addHelpText(
        'after',
        `\n${examples.length > 1 ? 'Examples' : 'Example'}:\n${examples.map((one) => `  bellwether ${one}`).join('\n')}`,
      ),
  )
}

function commonOptions(command: Command): Command {
  command.option('--json', 'print JSON as returned by the API').option('-q, --quiet', 'no progress and no remarks')
  return addTargetOptions(command)
}

/** Adds the options that select the service; target.ts evaluates them. */
export function addTargetOptions(command: Command): Command {
  for (const [flags, text] of [
    ['--url <url>', 'address of the service; or BELLWETHER_URL'],
    ['--key <key>', 'API key; prefer BELLWETHER_KEY or a profile, which process lists do not show'],
    ['--profile <name>', 'a profile of "bellwether login"; or BELLWETHER_PROFILE'],
    ['--insecure', 'send the key over plain http to a public address'],
  ] as const)
    command.addOption(new Option(flags, text).helpGroup('Which service:'))
  return command
}

/** Wraps the action of a command: opens a session with the service that its options select. */
export function withSession<A extends unknown[]>(
  io: TerminalIo,
  run: (session: CommandSession, ...args: A) => Promise<void>,
) {
  return async (...given: unknown[]): Promise<void> => {
    // Commander passes the arguments, the options and the command.
    given.pop()
    const options = given.at(-1) as CommonOptions
    await run(await openSession(io, options), ...(given as A))
  }
}

async function openSession(io: TerminalIo, options: CommonOptions): Promise<CommandSession> {
  const err = new TerminalOutput(io.stderr, io.env)
  const quiet = options.quiet ?? false
  return {
    client: new Bellwether({ ...(await resolveTarget(options, io.env)), maxWaitMs: 30_000 }),
    io,
    out: new TerminalOutput(io.stdout, io.env),
    err,
    json: options.json ?? false,
    quiet,
    note: (text) => {
      if (!quiet) err.line(text)
    },
  }
}

/** Collects the values of a repeatable option. */
export function collectOption(value: string, before: string[] = []): string[] {
  return [...before, value]
}

export function parseWholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.')
  return Number(text)
}

/** The given words, with `-` replaced by the lines of stdin. */
export async function expandStdin(io: TerminalIo, words: string[]): Promise<string[]> {
  if (!words.includes('-')) return words
  const lines = (await readStdin(io)).split('\n').map((line) => line.trim())
  return words.flatMap((word) => (word === '-' ? lines.filter(Boolean) : [word]))
}

export async function readStdin(io: TerminalIo): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of io.stdin)
    text += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })
  return text + decoder.decode()
}
