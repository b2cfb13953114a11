import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

const USAGE =
  'npm run migrations:seal [-- --from NUMBER]: lists new migrations, with --from also those from there on again'
const DB = new URL('../src/db/', import.meta.url)
/** In the format of sha256sum, so that `cd src/db && sha256sum -c migrations.sha256` checks it too. */
const LIST = new URL('migrations.sha256', DB)

/** A migration file and the checksum of its text. */
export type Sealed = { file: string; checksum: string }

const parseList = (text: string): Sealed[] =>
  text.split('\n').flatMap((line) => {
    const [checksum, file] = line.split('  ')
    return checksum && file ? { file, checksum } : []
  })

const filesOf = (folder: URL): Sealed[] =>
  readdirSync(folder)
    .toSorted()
    .map((name) => ({
      file: `migrations/${name}`,
      checksum: createHash('sha256')
        .update(readFileSync(new URL(name, folder)))
        .digest('hex'),
    }))

/** The files to append to the list, and the violations as sentences: a listed file never changes, a new one comes last. */
export function compare(listed: Sealed[], files: Sealed[]): { added: Sealed[]; problems: string[] } {
  const last = listed.at(-1)?.file ?? ''
  const known = new Set(listed.map(({ file }) => file))
  const found = new Map(files.map(({ file, checksum }) => [file, checksum]))
  const added = files.filter(({ file }) => !known.has(file))
  const changed = listed
    .filter(({ file, checksum }) => found.get(file) !== checksum)
    .map(({ file }) => `${file} was ${found.has(file) ? 'changed' : 'removed'}: restore it, and write a new migration.`)
  const early = added
    .filter(({ file }) => file < last)
    .map(({ file }) => `${file} comes before ${last}, which is listed already: give it a later number.`)
  return { added, problems: [...changed, ...early] }
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { check: { type: 'boolean' }, from: { type: 'string' }, help: { type: 'boolean' } },
  })
  if (values.help) {
    process.stdout.write(`${USAGE}\n`)
    process.exit()
  }
  const from = values.from === undefined ? null : `migrations/${values.from}`
  const listed = parseList(readFileSync(LIST, 'utf8')).filter(({ file }) => from === null || file < from)
  const { added, problems } = compare(listed, filesOf(new URL('migrations/', DB)))
  if (values.check) {
    problems.push(...added.map(({ file }) => `${file} is not listed: run "npm run migrations:seal".`))
  } else if (problems.length === 0) {
    const lines = [...listed, ...added].map(({ file, checksum }) => `${checksum}  ${file}\n`)
    writeFileSync(LIST, lines.join(''))
  }
  for (const problem of new Set(problems)) process.stderr.write(`${problem}\n`)
  process.exitCode = problems.length > 0 ? 1 : 0
}
