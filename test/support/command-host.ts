import { main } from '../../src/cli/main.ts'

// Every command adds a listener, which in a separate process ends with it.
process.stdout.setMaxListeners(0)

/**
 * Runs each received command as `bin/bellwether.js` does, in its environment, and writes a marker to both streams after its
 * output.
 */
process.on('message', async ({ args, env }: { args: string[]; env: Record<string, string> }) => {
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, env)
  process.exitCode = 0
  await main(['node', 'bellwether', ...args])
  const code = process.exitCode
  process.exitCode = 0
  process.stdout.write('\0')
  process.stderr.write('\0')
  process.send?.(code)
})
