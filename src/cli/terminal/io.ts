/** The streams and the environment of a command. Tests pass their own. */
export type TerminalIo = {
  stdin: AsyncIterable<string | Uint8Array> & { isTTY?: boolean }
  stdout: OutputSink
  stderr: OutputSink
  env: Readonly<Record<string, string | undefined>>
  setExitCode: (code: number) => void
  /** Calls `stop` on Ctrl-C instead of ending the process, until the returned function is called. */
  onInterrupt: (stop: () => void) => () => void
  /** Prompts for a value without echoing it. */
  askSecret: (question: string) => Promise<string>
  /** Opens a text in $VISUAL or $EDITOR and returns the edited text. */
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
      // Not `once`, because npm forwards a signal that the terminal has already sent.
      process.on('SIGINT', stop)
      return () => process.off('SIGINT', stop)
    },
    // Loaded on use, because one command each needs them.
    askSecret: async (question) => (await import('./ask-secret.ts')).askSecret(question),
    edit: async (text) =>
      (await import('./edit-text.ts')).editText(text, process.env.VISUAL || process.env.EDITOR || 'vi'),
  }
}
