// npm run docs: writes what training knows of the built-in signals, in the order of the reader's outputs.
import { writeFileSync } from 'node:fs'
import { BUILTIN_SIGNALS } from '../src/engine/signals/index.ts'

const FILE = new URL('../training/descriptions.json', import.meta.url)

/** Each signal's description, and then the same in other words. */
export function descriptions(): string {
  const rows = BUILTIN_SIGNALS.map(({ id, description, wordings }) => [id, [description, ...wordings]])
  return `${JSON.stringify(Object.fromEntries(rows), null, 2)}\n`
}

if (import.meta.main) writeFileSync(FILE, descriptions())
