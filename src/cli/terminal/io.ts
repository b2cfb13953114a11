/** Where a command reads and writes. A process has one of its own; tests bring theirs. */
export type TerminalIo = {
  stdin: AsyncIterable<string | Uint8Array> & { isTTY?: boolean }
  stdout: OutputSink
  stderr: OutputSink
  env: Readonly<Record<string, string | undefined>>
  setExitCode: (code: number) => void
  /** Calls back on Ctrl-C, instead of ending the process, until the answer is called. */
  onInterrupt: (stop: () => void) => () => void
  /** Asks for something that is not shown while it is typed. */
  askSecret: (question: string) => Promise<string>
  /** Lets the person edit a text in the editor of their choice. */
  edit: (text: string) => Promise<string>
}

export type OutputSink = { write: (text: string) => unknown; isTTY?: boolean; columns?: number }

export function processIo(): TerminalIo {
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
    edit: async (text) =>
      (await import('./edit-text.ts')).editText(text, process.env.VISUAL || process.env.EDITOR || 'vi'),
  }
}
