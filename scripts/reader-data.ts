// Labelled documents of the classifier: {"id", "title", "sents", "companies": [{"name", "signals": {"funding": [0, 2]}}]}.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import type { DetectInput } from '../src/engine/detect/index.ts'
import type { SignalId } from '../src/engine/signals/index.ts'

export type Row = {
  id: string
  genre?: string | null
  title: string | null
  sents: string[]
  companies: { name: string; also?: string[]; signals: Partial<Record<SignalId, number[]>> }[]
}

export type Part = 'train' | 'validation' | 'test' | 'unseen'

/** One organisation of one document. */
export type Example = {
  input: DetectInput
  signals: Set<SignalId>
  source: string
  genre: string
  words: number
  row: Row
}

/** Two kinds of text that training never uses, whatever their ids; the same list is in training/data.py. */
const UNSEEN_GENRES = new Set(['newsletter', 'social'])

/** By hash of the id: an eighth for testing, a sixteenth for thresholds and calibration. */
export function partOf({ id, genre }: Pick<Row, 'id' | 'genre'>): Part {
  if (genre && UNSEEN_GENRES.has(genre)) return 'unseen'
  const first = createHash('sha256').update(id).digest('hex')[0] as string
  return '01'.includes(first) ? 'test' : first === '2' ? 'validation' : 'train'
}

/** The rows of a file, or of all files of a folder. */
export function readRows(path: string): Row[] {
  if (statSync(path).isDirectory()) {
    return readdirSync(path)
      .filter((name) => name.endsWith('.ndjson.gz'))
      .sort()
      .flatMap((name) => readRows(`${path}/${name}`))
  }
  const content = readFileSync(path)
  const lines = (path.endsWith('.gz') ? gunzipSync(content) : content).toString('utf8').trim().split('\n')
  return lines.filter(Boolean).map((line) => JSON.parse(line) as Row)
}

/** The row as documents for the service, one per organisation. */
export function examplesOf(row: Row, headlineOnly = false): Example[] {
  const text = headlineOnly ? '' : row.sents.join(' ')
  const title = row.title ?? ''
  return row.companies
    .filter(({ name }) => !headlineOnly || title.includes(name))
    .map(({ name, signals }) => {
      const told = Object.entries(signals).filter(([, sentences]) => !headlineOnly || sentences.includes(0))
      return {
        input: { id: row.id, company: { name }, title, text },
        signals: new Set(told.map(([signal]) => signal as SignalId)),
        source: (row.id.split('-')[0] as string).replace('rel', 'releases'),
        genre: row.genre ?? 'none',
        words: `${title} ${text}`.split(/\s+/).length,
        row,
      }
    })
}
