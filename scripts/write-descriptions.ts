// npm run docs: writes the descriptions of the built-in signals for training, in the order of the classifier's outputs.
import { writeFileSync } from 'node:fs'
import { BUILTIN_SIGNALS } from '../src/engine/signals/index.ts'

const FILE = new URL('../training/descriptions.json', import.meta.url)

/** Each signal's description, followed by paraphrases. */
export function descriptions(): string {
  const rows = BUILTIN_SIGNALS.map(({ id, description, wordings }) => [id, [description, ...wordings]])
  return `${JSON.stringify(Object.fromEntries(rows), null, 2)}\n`
}

if (import.meta.main) writeFileSync(FILE, descriptions())
