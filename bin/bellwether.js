#!/usr/bin/env node
// Plain JavaScript that any Node can read: it is the first thing to run, also where the pinned Node is missing.
import { existsSync } from 'node:fs'
import * as nodeModule from 'node:module'

const NEEDED = 24
const running = Number(process.versions.node.split('.')[0])

if (running < NEEDED) {
  const pinned = existsSync(new URL('../node_modules/node/bin/node', import.meta.url))
  console.error(
    pinned
      ? `Bellwether needs Node ${NEEDED} or later and this is Node ${process.versions.node}. The right one is installed: use "npm start" or "npx bellwether".`
      : `Bellwether needs Node ${NEEDED} or later and this is Node ${process.versions.node}. The one it brings along was not set up because install scripts are off. Run "npm ci --ignore-scripts=false", then start again.`,
  )
  process.exit(1)
}

// Keeps compiled code between starts, which saves about a third of a second.
nodeModule.enableCompileCache?.()
const { main } = await import('../src/cli/main.ts')
await main(process.argv)
