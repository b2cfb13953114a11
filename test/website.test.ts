import assert from 'node:assert/strict'
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openapiDocument } from '../scripts/openapi-document.ts'
import { apiReference, type OpenapiDocument } from '../website/api-reference.ts'
import { deadLinks, rewriteLinks } from '../website/links.ts'
import { readGroups } from '../website/pages.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'bellwether-website-'))
after(() => rmSync(folder, { recursive: true, force: true }))

test('the API reference contains every operation once, under its tag, and every webhook', async () => {
  const document = JSON.parse(await openapiDocument()) as OpenapiDocument
  const pages = apiReference(document).filter(({ title }) => title !== 'Objects')
  const anchors = pages.flatMap(({ markdown }) => [...markdown.matchAll(/^## .* \{#(\w+)\}$/gm)].map(([, id]) => id))
  const operations = [...Object.values(document.paths), ...Object.values(document.webhooks ?? {})].flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  )
  for (const id of operations) assert.equal(anchors.filter((anchor) => anchor === id).length, 1, id)
  const accounts = pages.find(({ title }) => title === 'Accounts')?.markdown ?? ''
  const [, section = ''] = accounts.split('{#createAccounts}')
  for (const part of [
    'POST /v1/accounts',
    '| `partial` | query | boolean | no |',
    '| `name` | string | yes | 1 to 300 characters |',
    '| `data.status` |',
    '| 400 | `invalid_request` | name is required |',
    'curl -s -X POST',
  ])
    assert.ok(section.includes(part), part)
})

test('every page of docs/ is in the sidebar once, and every link of a page resolves', () => {
  const pages = readGroups(root).flatMap((group) => group.pages)
  const sources = pages.map(({ source }) => source)
  for (const file of globSync('docs/**/*.md', { cwd: root }))
    assert.equal(sources.filter((source) => source === file).length, 1, file)
  const addresses = new Map(pages.map(({ source, path }) => [source, path]))
  for (const { source } of pages) rewriteLinks(readFileSync(join(root, source), 'utf8'), source, addresses, root)
  const page = (markdown: string) => rewriteLinks(markdown, 'docs/tour.md', addresses, root)
  assert.equal(page('[a](cli.md#x), `[b](c.md)`').markdown, '[a](/cli.md#x), `[b](c.md)`')
  assert.deepEqual(page('[a](../compose.yaml)'), { markdown: '[a](/files/compose.yaml)', files: ['compose.yaml'] })
  assert.throws(() => page('[a](missing.md)'), /docs\/tour\.md links to missing\.md, which does not exist/)
})

test('a link of the built site to a missing page or heading is reported', () => {
  mkdirSync(join(folder, 'api'))
  writeFileSync(join(folder, 'index.html'), '<h1 id="top">A</h1><a href="/docs/api/#list">b</a> <a href="#none">c</a>')
  writeFileSync(
    join(folder, 'api/index.html'),
    '<h2 id="list">B</h2><a class="x" href="/docs/gone.html">d</a><a href="../index.html#top">e</a><a href="https://x.example">f</a>',
  )
  assert.deepEqual(deadLinks(folder, '/docs/').sort(), ['api/index.html: /docs/gone.html', 'index.html: #none'])
})

test('the site is installed separately from the service', () => {
  const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { workspaces: string[] }
  assert.ok(!workspaces.includes('website'))
  assert.ok(existsSync(join(root, 'website/package.json')))
})
