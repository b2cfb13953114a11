import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { CliError, EXIT_CODES } from './exit-codes.ts'

/** Prompts on stderr and reads a line without echoing it. */
export async function askSecret(question: string): Promise<string> {
  process.stderr.write(question)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true })
  const interrupted = Promise.withResolvers<never>()
  lines.on('SIGINT', () => interrupted.reject(new CliError(EXIT_CODES.interrupted, 'Nothing was changed.')))
  try {
    return await Promise.race([lines.question(''), interrupted.promise])
  } finally {
    lines.close()
    process.stderr.write('\n')
  }
}
