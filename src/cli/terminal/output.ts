import type { OutputSink, TerminalIo } from './io.ts'
import { sanitizedJson, sanitizeLine, sanitizeText } from './sanitize.ts'
import { textWidth, truncateToWidth, wrapText } from './width.ts'

const STYLES = { bold: '1', dim: '2', good: '32', bad: '31', warm: '33' } as const

type Style = keyof typeof STYLES
/** A text with a style. The escape sequence is added after the text is sanitized. */
export type StyledText = { text: string; style: Style }
export type TextPart = string | StyledText

export const withStyle = (style: Style, text: string): StyledText => ({ text, style })

export type TableColumn<T> = {
  title: string
  value: (row: T) => TextPart | number | null | undefined
  right?: boolean
  /** Never truncated, such as an id or a URL. */
  whole?: boolean
  /** Hidden when the terminal is too narrow for all columns. */
  extra?: boolean
}

const NARROWEST = 8
const GAP = '  '

/** stdout or stderr. All output passes through this class, which removes control characters from it. */
export class TerminalOutput {
  readonly #sink: OutputSink
  readonly #colours: boolean
  /** Width of the terminal; infinite without one, so that nothing is truncated. */
  readonly columns: number
  readonly isTerminal: boolean

  constructor(sink: OutputSink, env: TerminalIo['env']) {
    this.#sink = sink
    this.isTerminal = sink.isTTY === true
    // A terminal of unknown size reports 0.
    this.columns = this.isTerminal ? sink.columns || 80 : Number.POSITIVE_INFINITY
    const { FORCE_COLOR, NO_COLOR, TERM } = env
    this.#colours = FORCE_COLOR ? FORCE_COLOR !== '0' : !NO_COLOR && this.isTerminal && TERM !== 'dumb'
  }

  line(...parts: TextPart[]): void {
    this.#sink.write(`${parts.map((part) => this.#paint(part)).join('')}\n`)
  }

  /** Prints a text wrapped to the terminal. `first` replaces the indent of the first line and must have its width. */
  text(text: string, { indent = '', first = [indent] }: { indent?: string; first?: TextPart[] } = {}): void {
    const columns = (this.isTerminal ? Math.min(this.columns, 100) : this.columns) - indent.length
    for (const [at, line] of wrapText(sanitizeText(text).trim(), columns).entries())
      if (at === 0) this.line(...first, line)
      else this.line(line ? indent + line : '')
  }

  table<T>(all: TableColumn<T>[], rows: T[]): void {
    const widthOfColumn = ({ title, value }: TableColumn<T>) =>
      Math.max(textWidth(title), ...rows.map((row) => textWidth(sanitizeLine(textOf(toPart(value(row)))))))
    let columns = all.map((column) => ({ ...column, width: widthOfColumn(column) }))
    for (const column of columns.toReversed())
      if (column.extra && totalOf(columns) > this.columns) columns = columns.filter((one) => one !== column)
    fit(columns, this.columns)
    this.#row(
      columns.map(({ title }) => withStyle('dim', title)),
      columns,
    )
    for (const row of rows)
      this.#row(
        columns.map(({ value }) => toPart(value(row))),
        columns,
      )
  }

  /** Prints names with their values, one per line. */
  pairs(pairs: (readonly [name: string, value: TextPart | number | null | undefined])[]): void {
    const shown = pairs.filter(([, value]) => value !== undefined)
    const width = Math.max(0, ...shown.map(([name]) => textWidth(name)))
    for (const [name, value] of shown) this.line(withStyle('dim', name.padEnd(width + 2)), toPart(value ?? '-'))
  }

  json(value: unknown): void {
    this.#sink.write(`${sanitizedJson(value, 2)}\n`)
  }

  /** Prints one JSON array, item by item. */
  async jsonArray(items: AsyncIterable<unknown>): Promise<void> {
    let count = 0
    for await (const item of items) this.#sink.write(`${count++ === 0 ? '[\n' : ',\n'}${sanitizedJson(item)}`)
    this.#sink.write(count === 0 ? '[]\n' : '\n]\n')
  }

  /** Writes a chunk of a file. */
  chunk(text: string): void {
    this.#sink.write(this.isTerminal ? sanitizeText(text) : text)
  }

  /** Replaces the current line; only for terminals. */
  rewrite(text: string): void {
    this.#sink.write(`\r\u001b[K${truncateToWidth(sanitizeLine(text), this.columns - 1)}`)
  }

  #paint(part: TextPart): string {
    const text = sanitizeLine(textOf(part))
    if (typeof part === 'string' || !this.#colours || text === '') return text
    return `\u001b[${STYLES[part.style]}m${text}\u001b[0m`
  }

  #row(row: TextPart[], columns: Sized[]): void {
    let left = this.columns
    const shown = row.flatMap((part, at) => {
      const width = Math.min(columns[at]?.width ?? 0, left)
      if (width <= 0) return []
      left -= width + GAP.length
      const text = truncateToWidth(sanitizeLine(textOf(part)), width)
      const space = ' '.repeat(Math.max(0, width - textWidth(text)))
      const painted = this.#paint(typeof part === 'string' ? text : { ...part, text })
      return [columns[at]?.right ? space + painted : painted + space]
    })
    this.#sink.write(`${shown.join(GAP).trimEnd()}\n`)
  }
}

type Sized = Pick<TableColumn<never>, 'right' | 'whole'> & { width: number }

const totalOf = (columns: Sized[]) => columns.reduce((sum, { width }) => sum + width, GAP.length * (columns.length - 1))

/** Narrows the widest column repeatedly until the table fits or no column can be narrowed. */
function fit(columns: Sized[], available: number): void {
  while (totalOf(columns) > available) {
    const flexible = columns.filter(({ whole, width }) => !whole && width > NARROWEST)
    if (flexible.length === 0) return
    flexible.reduce((a, b) => (b.width > a.width ? b : a)).width--
  }
}

const textOf = (part: TextPart) => (typeof part === 'string' ? part : part.text)

function toPart(value: TextPart | number | null | undefined): TextPart {
  if (value === null || value === undefined || value === '') return '-'
  return typeof value === 'number' ? String(value) : value
}
