/** Where a command reads and writes. A process has one of its own; tests bring theirs. */
export type Io = {
  stdin: AsyncIterable<string | Uint8Array> & { isTTY?: boolean }
  stdout: Sink
  stderr: Sink
  env: Readonly<Record<string, string | undefined>>
  setExitCode: (code: number) => void
  /** Calls back on Ctrl-C, instead of ending the process, until the answer is called. */
  onInterrupt: (stop: () => void) => () => void
  /** Asks for something that is not shown while it is typed. */
  askSecret: (question: string) => Promise<string>
  /** Lets the person edit a text in the editor of their choice. */
  edit: (text: string) => Promise<string>
}

export type Sink = { write: (text: string) => unknown; isTTY?: boolean; columns?: number }

export function processIo(): Io {
  return {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    setExitCode: (code) => {
      process.exitCode = code
    },
    onInterrupt(stop) {
      // Not once: npm forwards the signal that the terminal has sent already.
      process.on('SIGINT', stop)
      return () => process.off('SIGINT', stop)
    },
    // Both are needed by one command each.
    askSecret: async (question) => (await import('./ask-secret.ts')).askSecret(question),
    edit: async (text) => (await import('./edit.ts')).edit(text, process.env.VISUAL || process.env.EDITOR || 'vi'),
  }
}
