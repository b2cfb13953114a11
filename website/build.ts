// Builds the site into website/dist: collects the pages, runs VitePress, writes llms.txt and checks every link.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openapiDocument } from '../scripts/openapi-document.ts'
import { apiReference, type OpenapiDocument } from './api-reference.ts'
import { deadLinks, publicFile, rewriteLinks } from './links.ts'
import { readGroups } from './pages.ts'

const WEBSITE = fileURLToPath(new URL('.', import.meta.url))
const ROOT = join(WEBSITE, '..')
const WORK = join(WEBSITE, '.build')
const CONTENT = join(WORK, 'content')
const DIST = join(WEBSITE, 'dist')
/** The path under which the site is served, with a slash at both ends. */
const BASE = process.env.DOCS_BASE ?? '/'

const SUMMARY =
  'Bellwether is a self-hosted service that watches the companies a sales team wants to sell to, reports buying signals with the sentence that proves them, and finds the people to contact.'

function write(file: string, content: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
}

rmSync(CONTENT, { recursive: true, force: true })
rmSync(DIST, { recursive: true, force: true })

const groups = readGroups(ROOT)
const addresses = new Map(groups.flatMap(({ pages }) => pages.map(({ source, path }) => [source, path])))
const written = groups.map(({ title, pages }) => ({
  title,
  pages: pages.map(({ source, path, title: pageTitle }) => {
    const original = readFileSync(join(ROOT, source), 'utf8')
    const { markdown, files } = rewriteLinks(original, source, addresses, ROOT)
    for (const file of files) cpSync(join(ROOT, file), join(CONTENT, 'public', publicFile(file)))
    return { path, title: pageTitle, markdown }
  }),
}))
const reference = apiReference(JSON.parse(await openapiDocument()) as OpenapiDocument)
const integrate = written.findIndex(({ title }) => title === 'Integrate') + 1
const sections = written.toSpliced(integrate, 0, { title: 'API reference', pages: reference })
const pages = sections.flatMap((section) => section.pages)

for (const { path, markdown } of pages) write(join(CONTENT, `${path}.md`), markdown)
// The home page has no text but its settings, which are YAML at the top of a page.
write(join(CONTENT, 'index.md'), `---\n${readFileSync(join(WEBSITE, 'home.yaml'), 'utf8')}---\n`)
const sidebar = sections.map(({ title, pages: own }) => ({
  text: title,
  collapsed: title === 'API reference' || title === 'Decisions',
  items: own.map((page) => ({ text: page.title, link: `/${page.path}` })),
}))
write(join(WORK, 'sidebar.json'), JSON.stringify(sidebar))

const vitepress = join(WEBSITE, 'node_modules/vitepress/bin/vitepress.js')
const { status } = spawnSync(process.execPath, [vitepress, 'build', WEBSITE], { stdio: 'inherit' })
if (status !== 0) process.exit(status ?? 1)

// For language models: an index, every page as Markdown, and all pages in one file (https://llmstxt.org).
const index = sections.map(
  ({ title, pages: own }) =>
    `## ${title}\n\n${own.map((page) => `- [${page.title}](${BASE}${page.path}.md)`).join('\n')}\n`,
)
write(join(DIST, 'llms.txt'), [`# Bellwether\n`, `> ${SUMMARY}\n`, ...index].join('\n'))
const texts = pages.map(({ path, markdown }) => `<!-- ${BASE}${path}.md -->\n\n${markdown.trim()}\n`)
write(join(DIST, 'llms-full.txt'), [`# Bellwether\n\n> ${SUMMARY}\n`, ...texts].join('\n'))
for (const { path, markdown } of pages) write(join(DIST, `${path}.md`), markdown)

const dead = deadLinks(DIST, BASE)
if (dead.length > 0) {
  console.error(`Links of the site that lead nowhere:\n  ${dead.join('\n  ')}`)
  process.exitCode = 1
} else console.log(`site: ${pages.length} pages in website/dist, all links checked`)
