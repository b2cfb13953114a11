import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CliError, EXIT_CODES } from './exit-codes.ts'

/** Opens a text in an editor and returns the edited text. The editor may have arguments, such as `code --wait`. */
export async function editText(text: string, editor: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'bellwether-edit-'))
  const file = join(folder, 'section.md')
  try {
    writeFileSync(file, text, { mode: 0o600 })
    const child = spawn('sh', ['-c', `${editor} "$1"`, 'sh', file], { stdio: 'inherit' })
    const [code] = await once(child, 'close')
    if (code !== 0)
      throw new CliError(EXIT_CODES.failed, `The editor (${editor}) exited with code ${code}; nothing was changed.`)
    return readFileSync(file, 'utf8')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
