// Joins the published labels (training/data/labels.ndjson.gz) with their texts, for training and evaluation.
//
//   xz -dc corpus.txt.xz | node scripts/write-labelled.ts <labelled file> … | gzip > W/labelled/older.ndjson.gz
//
// A line of the corpus is one document, with " ⏎ " between its paragraphs: its hash is the end of a `rel-x` id. The files
// contain documents with older labels, which are replaced. Other ids of the labels are those of training/documents.py.
import { createHash } from 'node:crypto'
import { createInterface } from 'node:readline'
import { splitSentences } from '../src/engine/text/sentences.ts'
import { tokenize } from '../src/engine/text/tokens.ts'
import { type Row, readRows } from './reader-data.ts'

const LABELS = new URL('../training/data/labels.ndjson.gz', import.meta.url).pathname
/** Labels of later sentences are omitted. */
const MOST_SENTENCES = 30
const labels = new Map(readRows(LABELS).map((row) => [row.id, row]))

for (const row of process.argv.slice(2).flatMap(readRows)) {
  const known = labels.get(row.id)
  if (known) write({ ...row, ...known })
}
for await (const line of createInterface({ input: process.stdin })) {
  const id = `rel-x-${createHash('sha256').update(line).digest('hex').slice(0, 10)}`
  const known = labels.get(id)
  if (known) write({ ...known, ...cut(line) })
  labels.delete(id)
}

function cut(line: string): Pick<Row, 'title' | 'sents'> {
  const [title = '', ...paragraphs] = line.split(' ⏎ ')
  const head = `${title}\n\n`
  const text = head + paragraphs.join('\n\n')
  const tokens = tokenize(text)
  const sents = splitSentences(tokens, head.length)
    .filter(({ section }) => section === 'body' || section === 'about')
    .map(({ from, to }) => text.slice(tokens.start[from], tokens.end[to - 1]).replaceAll('\n', ' '))
  return { title, sents: sents.slice(0, MOST_SENTENCES) }
}

function write(row: Row): void {
  const companies = row.companies.map((company) => ({
    ...company,
    signals: Object.fromEntries(
      Object.entries(company.signals).flatMap(([signal, places]) => {
        const held = places.filter((place) => place <= row.sents.length)
        return held.length > 0 ? [[signal, held]] : []
      }),
    ),
  }))
  process.stdout.write(`${JSON.stringify({ ...row, companies })}\n`)
}
