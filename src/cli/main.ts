import { Command, CommanderError } from 'commander'
import { VERSION } from '../version.ts'
import { addExamples } from './examples.ts'
import { EXIT, EXIT_TEXT, exitCodeOf, messageOf } from './terminal/exit.ts'
import { type Io, processIo } from './terminal/io.ts'
import { Output } from './terminal/output.ts'

type Register = (program: Command, io: Io) => void

const DAILY = 'Daily work, through the API of a service that may run anywhere:'
const OPERATING = 'Running the service, on the machine and the database where it runs:'

/**
 * The commands by the first word. Only the files of the one that is called are loaded: what speaks to a service over its
 * API must not wait for the service's own code.
 */
const COMMANDS: { words: string[]; group: string; load: () => Promise<Register> }[] = [
  { words: ['accounts'], group: DAILY, load: async () => (await import('./remote/accounts.ts')).accountCommands },
  { words: ['people'], group: DAILY, load: async () => (await import('./remote/people.ts')).peopleCommands },
  { words: ['findings'], group: DAILY, load: async () => (await import('./remote/findings.ts')).findingsCommand },
  { words: ['discover'], group: DAILY, load: async () => (await import('./remote/discover.ts')).discoverCommand },
  { words: ['signals'], group: DAILY, load: async () => (await import('./remote/signals.ts')).signalCommands },
  { words: ['push'], group: DAILY, load: async () => (await import('./remote/push.ts')).pushCommands },
  { words: ['runs'], group: DAILY, load: async () => (await import('./remote/runs.ts')).runCommands },
  { words: ['knowledge'], group: DAILY, load: async () => (await import('./remote/knowledge.ts')).knowledgeCommands },
  {
    words: ['usage', 'status'],
    group: DAILY,
    load: async () => (await import('./remote/overview.ts')).overviewCommands,
  },
  { words: ['login', 'profiles'], group: DAILY, load: async () => (await import('./remote/login.ts')).loginCommands },
  { words: ['serve', 'migrate'], group: OPERATING, load: async () => (await import('./serve.ts')).serveCommand },
  { words: ['workspaces'], group: OPERATING, load: async () => (await import('./workspaces.ts')).workspaceCommands },
  { words: ['members'], group: OPERATING, load: async () => (await import('./members.ts')).memberCommands },
  { words: ['keys'], group: OPERATING, load: async () => (await import('./keys.ts')).keyCommands },
  { words: ['sign-in'], group: OPERATING, load: async () => (await import('./sign-in.ts')).signInCommand },
  {
    words: ['connect', 'disconnect', 'connections'],
    group: OPERATING,
    load: async () => (await import('./connections.ts')).connectionCommands,
  },
  { words: ['import'], group: OPERATING, load: async () => (await import('./import.ts')).importCommands },
  { words: ['export'], group: OPERATING, load: async () => (await import('./export.ts')).exportCommands },
  { words: ['engine'], group: OPERATING, load: async () => (await import('./engine-command.ts')).engineCommand },
]

/** The `bellwether` command. Sets the exit code; a mistake of the caller's is one line on stderr. */
export async function main(argv: string[], given?: Io): Promise<void> {
  const io = given ?? processIo()
  // A reader that has seen enough, such as head, is no error.
  if (!given) process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
  try {
    const program = await programFor(argv[2], io)
    if (argv.length > 2) await program.parseAsync(argv)
    else program.outputHelp()
  } catch (error) {
    // Commander has said what is wrong, and how it is meant.
    if (error instanceof CommanderError) io.setExitCode(error.exitCode === 0 ? EXIT.done : EXIT.usage)
    else {
      // The service's log has the stack; here it would only hide the message.
      new Output(io.stderr, io.env).text(messageOf(error))
      io.setExitCode(exitCodeOf(error))
    }
  }
}

async function programFor(word: string | undefined, io: Io): Promise<Command> {
  const program = new Command('bellwether')
    .description('Signal intelligence for B2B sales teams, on your own machine.')
    .version(VERSION)
    .showHelpAfterError('Run with --help to see what it takes.')
    .addHelpText(
      'after',
      `\n${EXIT_TEXT}\n\nConfiguration of the service comes from the environment: docs/configuration.md. More: docs/cli.md.`,
    )
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      writeErr: (text) => void io.stderr.write(text),
      getOutHelpWidth: () => io.stdout.columns || 100,
      getErrHelpWidth: () => io.stderr.columns || 100,
    })
    .exitOverride()
  const called = COMMANDS.filter(({ words }) => word !== undefined && words.includes(word))
  // Help, completion and a mistyped word need them all.
  for (const { group, load } of called.length > 0 ? called : COMMANDS) {
    program.commandsGroup(group)
    ;(await load())(program, io)
  }
  addExamples(program)
  program.commandsGroup('The command itself:').helpCommand('help [command]', 'show what a command takes')
  if (called.length === 0) (await import('./completion.ts')).completionCommand(program, io)
  return program
}
