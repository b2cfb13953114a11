import type { TerminalOutput } from './output.ts'

const BAR = 24

/** Progress on stderr: a bar on a terminal, else a line per step; nothing when quiet. */
export class ProgressDisplay {
  readonly #out: TerminalOutput
  readonly #quiet: boolean
  #shown = ''

  constructor(out: TerminalOutput, quiet: boolean) {
    this.#out = out
    this.#quiet = quiet
  }

  /** `share` is from 0 to 1, or null if it is unknown. */
  show(share: number | null, text: string): void {
    const line = this.#out.isTerminal ? `${bar(share)}  ${text}` : text
    if (this.#quiet || line === this.#shown) return
    this.#shown = line
    if (this.#out.isTerminal) this.#out.rewrite(line)
    else this.#out.line(line)
  }

  /** Removes the bar. */
  end(): void {
    if (this.#shown && this.#out.isTerminal) this.#out.rewrite('')
    this.#shown = ''
  }
}

function bar(share: number | null): string {
  if (share === null) return `[${'·'.repeat(BAR)}]     `
  const done = Math.round(Math.min(1, Math.max(0, share)) * BAR)
  return `[${'#'.repeat(done)}${' '.repeat(BAR - done)}] ${String(Math.floor(share * 100)).padStart(3)} %`
}
