import { createHash } from 'node:crypto'
import type { Host } from '../../sandbox/internet.ts'
import { articleRow, type SandboxArticle, zip } from '../../sandbox/vendors/gdelt.ts'

export const PERIOD_MS = 15 * 60_000
export const LATEST = Math.floor(Date.now() / PERIOD_MS) * PERIOD_MS
export const stampOf = (time: number) => new Date(time).toISOString().replaceAll(/\D/g, '').slice(0, 14)

/** The rows of a usual file, and the measures of each article, which are most of its bytes. */
export const ROWS = 2_500
const MEASURES = 900
const VARIANTS = 4

type File = { body: Buffer; line: string }

/** Files of GDELT in their usual size, of the last day. */
export function createGdeltFiles(articleOf: (n: number) => SandboxArticle): { files: readonly File[]; host: Host } {
  const files = Array.from({ length: VARIANTS }, (_, variant) => {
    const rows = Array.from({ length: ROWS }, (_, row) => {
      const n = variant * ROWS + row
      const measures = Array.from({ length: MEASURES }, (_, i) => `c${i % 40}.${i}:${(n * 7_919 + i * 31) % 97}`)
      return articleRow(articleOf(n), stampOf(LATEST), row).replace('wc:229,', `wc:229,${measures.join(',')},`)
    })
    return toFile('gkg.csv', `${rows.join('\n')}\n`)
  })
  const mention = ['1', stampOf(LATEST), stampOf(LATEST), '1', 'a.example', 'https://a.example/1']
  const mentions = toFile(
    'mentions.CSV',
    `${[...mention, '1', '-1', '1', '1', '1', '60', '100', '1.5', '', ''].join('\t')}\n`,
  )
  const variantAt = (time: number) => files[(time / PERIOD_MS) % VARIANTS] as File
  const linesAt = (time: number) =>
    [`${variantAt(time).line}gkg.csv.zip`, `${mentions.line}mentions.CSV.zip`]
      .map((line) => `${line.replace('*', `http://data.gdeltproject.org/gdeltv2/${stampOf(time)}.`)}\n`)
      .join('')
  const answer = (body: string | Buffer) => ({ status: 200, headers: { 'content-type': 'application/zip' }, body })
  return {
    files,
    host({ url }) {
      const file = /^\/data\.gdeltproject\.org\/gdeltv2\/(.+)$/.exec(url.pathname)?.[1]
      if (url.hostname !== 'storage.googleapis.com' || !file) return null
      if (file === 'lastupdate.txt') return answer(linesAt(LATEST))
      if (file === 'masterfilelist.txt') {
        return answer(Array.from({ length: 100 }, (_, i) => linesAt(LATEST - (99 - i) * PERIOD_MS)).join(''))
      }
      const time = Date.parse(file.replace(/^(....)(..)(..)(..)(..)(..).*$/, '$1-$2-$3T$4:$5:$6Z'))
      return answer(file.includes('mentions') ? mentions.body : variantAt(time).body)
    },
  }
}

function toFile(name: string, content: string): File {
  const body = zip(name, content)
  return { body, line: `${body.length} ${createHash('md5').update(body).digest('hex')} *` }
}
