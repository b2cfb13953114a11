#!/usr/bin/env node
// Plain JavaScript that any Node can read: it is the first thing to run, also where the pinned Node is missing.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import * as nodeModule from 'node:module'
import { fileURLToPath } from 'node:url'

const NEEDED = 24
const running = Number(process.versions.node.split('.')[0])

if (running >= NEEDED) {
  // Keeps compiled code between starts, which saves about a third of a second.
  nodeModule.enableCompileCache?.()
  const { main } = await import('../src/cli/main.ts')
  await main(process.argv)
} else {
  // Called by its path, as desktop clients do, it meets whichever Node the machine has. The right one was installed with it.
  const pinned = fileURLToPath(new URL('../node_modules/node/bin/node', import.meta.url))
  if (!existsSync(pinned)) {
    console.error(
      `Bellwether needs Node ${NEEDED} or later and this is Node ${process.versions.node}. The one it brings along was not set up because install scripts are off. Run "npm ci --ignore-scripts=false", then start again.`,
    )
    process.exit(1)
  }
  const child = spawn(pinned, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' })
  // Ctrl-C reaches both from the terminal; the child decides what it means.
  process.on('SIGINT', () => {})
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 1
    if (!signal) return
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}
