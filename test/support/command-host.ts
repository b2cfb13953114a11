import { main } from '../../src/cli/main.ts'

// Every command puts a listener on it, which it takes along into its end in a process of its own.
process.stdout.setMaxListeners(0)

/** Runs each command it is sent as `bin/bellwether.js` does, and marks on both streams where its output ends. */
process.on('message', async (args: string[]) => {
  process.exitCode = 0
  await main(['node', 'bellwether', ...args])
  const code = process.exitCode
  process.exitCode = 0
  process.stdout.write('\0')
  process.stderr.write('\0')
  process.send?.(code)
})
