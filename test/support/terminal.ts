import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { main } from '../../src/cli/main.ts'

type Options = {
  /** Whether it runs in a terminal, and how wide that is. */
  columns?: number
  stdin?: string
  env?: Record<string, string>
  /** The input for a secret prompt. */
  typed?: string
  edit?: (text: string) => string
  /** Presses Ctrl-C once this was seen on stderr. */
  interruptAt?: RegExp
}

export type Ended = { code: number; stdout: string; stderr: string }

/** A folder for the profiles of one person. Deleted with the test file. */
export function configHome(): string {
  const folder = mkdtempSync(join(tmpdir(), 'bellwether-cli-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Runs the `bellwether` command in this process, with separate streams. */
export async function bellwether(args: string[], options: Options = {}): Promise<Ended> {
  const { columns, stdin = '', env = {}, typed = '', edit, interruptAt } = options
  const ended: Ended = { code: 0, stdout: '', stderr: '' }
  const isTTY = columns !== undefined
  let interrupt: (() => void) | undefined
  const sink = (name: 'stdout' | 'stderr') => ({
    ...(isTTY ? { isTTY, columns } : {}),
    write(text: string) {
      ended[name] += text
      if (interruptAt?.test(ended.stderr)) interrupt?.()
    },
  })
  async function* input() {
    yield Buffer.from(stdin)
  }
  await main(['node', 'bellwether', ...args], {
    stdin: Object.assign(input(), { isTTY }),
    stdout: sink('stdout'),
    stderr: sink('stderr'),
    env,
    setExitCode: (code) => {
      ended.code = code
    },
    onInterrupt(stop) {
      interrupt = stop
      return () => {
        interrupt = undefined
      }
    },
    askSecret: async () => typed,
    edit: async (text) => edit?.(text) ?? text,
  })
  return ended
}
