import { type Command, Option } from 'commander'
import { resolveTarget } from './target.ts'

type Options = { url?: string; key?: string; profile?: string }

export function mcpCommand(program: Command): void {
  program
    .command('mcp')
    .description('Serve an agent on this machine over its stdin and stdout (Model Context Protocol)')
    .addOption(new Option('--url <url>', 'address of the service').env('BELLWETHER_URL'))
    .addOption(new Option('--key <key>', 'API key; better in the environment').env('BELLWETHER_KEY'))
    .option('--profile <name>', 'stored address and key')
    .action(async (options: Options) => {
      const target = await resolveTarget(options)
      // Only here: no other command has a use for it.
      const { serveOverStdio } = await import('../mcp/stdio.ts')
      await serveOverStdio(target)
    })
}
