import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { scene } from './support/scene.ts'
import { testService } from './support/service.ts'

const FOLDER = new URL('fixtures/imports/', import.meta.url)
type Expected = {
  encoding: string
  delimiter: string
  has_header: boolean
  /** The field of each column, written down by hand; null: not imported. */
  columns: (string | null)[]
  /** The domain of each row; null: the file does not say it. */
  domains: (string | null)[]
}
const files: Record<string, Expected> = JSON.parse(readFileSync(new URL('expected.json', FOLDER), 'utf8'))

const service = await testService()

test('twelve export files: all domains are found, and at least 95 % of the columns are guessed right', async () => {
  const { client } = await scene(service)
  const wrong: string[] = []
  const lost: string[] = []
  let columns = 0
  for (const [name, expected] of Object.entries(files)) {
    const body = readFileSync(new URL(name, FOLDER))
    const answer = await client.post('/v1/accounts/import/preview', undefined, {
      body,
      headers: { 'content-type': 'text/csv' },
    })
    assert.equal(answer.status, 200, answer.text)
    const { encoding, delimiter, has_header, preview, errors } = answer.data
    const layout = [expected.encoding, expected.delimiter, expected.has_header]
    assert.deepEqual([encoding, delimiter, has_header], layout, name)
    for (const [at, { header, field }] of answer.data.columns.entries()) {
      columns++
      const wanted = expected.columns[at] ?? null
      if (field !== wanted) wrong.push(`${name}, ${header}: ${field} instead of ${wanted}`)
    }
    const found = preview.map((row: { account: { domain: string } | null }) => row.account?.domain ?? null)
    for (const [at, domain] of expected.domains.entries()) {
      if (found[at] !== domain) lost.push(`${name}, row ${at + 1}: ${found[at]} instead of ${domain}`)
    }
    assert.deepEqual(errors, [], name)
  }
  const right = (columns - wrong.length) / columns
  const figures = `${Object.keys(files).length} files, ${columns} columns, ${(right * 100).toFixed(1)} % right`
  assert.equal(Object.keys(files).length, 12)
  assert.deepEqual(lost, [], 'all domains are found')
  assert.ok(right >= 0.95, `${figures}\n${wrong.join('\n')}`)
})
