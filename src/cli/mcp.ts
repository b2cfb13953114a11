import type { Command } from 'commander'
import { addTargetOptions } from './remote/session.ts'
import { resolveTarget, type TargetOptions } from './remote/target.ts'

export function mcpCommand(program: Command): void {
  addTargetOptions(
    program
      .command('mcp')
      .description('Serve an agent on this machine over its stdin and stdout (Model Context Protocol)'),
  ).action(async (options: TargetOptions) => {
    const target = await resolveTarget(options)
    // Loaded on use, because no other command needs it.
    const { serveOverStdio } = await import('../mcp/stdio.ts')
    await serveOverStdio(target)
  })
}
