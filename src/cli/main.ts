import { Command, CommanderError } from 'commander'
import { AppError, SetupError } from '../errors.ts'
import { VERSION } from '../version.ts'
import { connectionCommands } from './connections.ts'
import { engineCommand } from './engine-command.ts'
import { exportCommands } from './export.ts'
import { importCommands } from './import.ts'
import { keyCommands } from './keys.ts'
import { mcpCommand } from './mcp.ts'
import { memberCommands } from './members.ts'
import { serveCommand } from './serve.ts'
import { signInCommand } from './sign-in.ts'
import { workspaceCommands } from './workspaces.ts'

/** The `bellwether` command. Sets the exit code; a mistake of the caller's is one line on stderr. */
export async function main(argv: string[]): Promise<void> {
  const program = new Command('bellwether')
    .description('Signal intelligence for B2B sales teams, on your own machine.')
    .version(VERSION)
    .showHelpAfterError('Run with --help to see what it takes.')
    .addHelpText(
      'after',
      '\nConfiguration comes from the environment (PORT, DATABASE_URL, DATA_DIR, …); docs/configuration.md lists it.',
    )
    .exitOverride()
  for (const register of [
    serveCommand,
    workspaceCommands,
    memberCommands,
    keyCommands,
    signInCommand,
    connectionCommands,
    importCommands,
    exportCommands,
    engineCommand,
    mcpCommand,
  ])
    register(program)
  // A reader that has seen enough, such as head, is no error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
  try {
    await program.parseAsync(argv)
  } catch (error) {
    if (error instanceof CommanderError) process.exitCode = error.exitCode
    else if (error instanceof SetupError || error instanceof AppError) {
      process.stderr.write(`${error.message}\n`)
      process.exitCode = 1
    } else {
      // The service's log has the stack; here it would only hide the message.
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
      process.exitCode = 1
    }
  }
}
