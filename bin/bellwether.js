#!/usr/bin/env node
// Plain JavaScript that any Node can read: it is the first thing to run, also where the pinned Node is missing.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import * as nodeModule from 'node:module'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { sourceDigest } from './source-digest.js'

const NEEDED = 24
/**
 * What keeps a process small that has one role (docs/decisions/0026): the most megabytes of each half of V8's young generation, which
 * would grow to 64; by how much the heap of a worker may grow until it is collected as a whole, which would be by four times; and
 * the arenas of malloc, of which each thread would have its own.
 */
const FLAGS = {
  api: ['--max-semi-space-size=4'],
  worker: ['--heap-growing-percent=40', '--max-semi-space-size=8'],
}
const ARENAS = '2'
const running = Number(process.versions.node.split('.')[0])

if (running >= NEEDED) {
  const role = onlyRole(process.argv.slice(2))
  if (role) keepSmall(role)
  // Keeps compiled code between starts, and in memory while the process runs: 7 MB of an API that saves a fifth of its start.
  if (role !== 'api') nodeModule.enableCompileCache?.()
  const { main } = await import(isBuilt() ? '../dist/main.js' : '../src/cli/main.ts')
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

/** Whether the bundle in dist/ is of this source. It starts in half the time, in two thirds of the memory (docs/decisions/0052). */
function isBuilt() {
  const digest = new URL('../dist/digest', import.meta.url)
  return existsSync(digest) && readFileSync(digest, 'utf8') === sourceDigest()
}

function onlyRole(words) {
  if (words[0] !== 'serve') return undefined
  return ['api', 'worker'].find(
    (role) => words.includes(`--only=${role}`) || words[words.indexOf('--only') + 1] === role,
  )
}

/** They are taken before anything runs: the process begins anew in its place, with the same id and the same streams. */
function keepSmall(role) {
  const { argv, env, execArgv, execPath } = process
  // The second time. Threads that read documents, made later, are slower in little room: they have what is usual.
  if (execArgv.at(-1) === FLAGS[role].at(-1)) return setFlagsFromString('--max-semi-space-size=0')
  // Whoever has chosen a size keeps it. A parent that listens would lose its channel.
  const isChosen = /semi[-_]space/.test(`${execArgv} ${env.NODE_OPTIONS}`)
  if (isChosen || process.connected || !process.execve) return
  const words = [execPath, ...execArgv, ...FLAGS[role], ...argv.slice(1)]
  process.execve(execPath, words, { MALLOC_ARENA_MAX: ARENAS, ...env })
}
