import { readFileSync } from 'node:fs'
import { type DefaultTheme, defineConfig } from 'vitepress'

const work = new URL('../.build/', import.meta.url)
const sidebar = JSON.parse(readFileSync(new URL('sidebar.json', work), 'utf8')) as DefaultTheme.SidebarItem[]

/** As GitHub makes them, so that one anchor works in the repository and on the site. */
const slugify = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-')

export default defineConfig({
  title: 'Bellwether',
  description: 'Self-hosted signal intelligence for B2B sales teams',
  lang: 'en',
  base: process.env.DOCS_BASE ?? '/',
  srcDir: '.build/content',
  cacheDir: '.build/cache',
  outDir: 'dist',
  metaChunk: true,
  markdown: {
    // The pages are plain Markdown: what looks like a tag in them is text.
    html: false,
    anchor: { slugify },
    config: (markdown) => {
      const fence = markdown.renderer.rules.fence
      if (!fence) throw new Error('The Markdown renderer has no rule for code blocks.')
      markdown.renderer.rules.fence = (tokens, index, ...rest) => {
        const token = tokens[index]
        if (token?.info.trim() !== 'mermaid') return fence(tokens, index, ...rest)
        return `<MermaidDiagram code="${encodeURIComponent(token.content)}" />\n`
      }
      // Indented blocks look and scroll like fenced ones.
      markdown.renderer.rules.code_block = (tokens, index, ...rest) => fence(tokens, index, ...rest)
    },
  },
  vite: {
    // Layout engines of Mermaid are larger, and are loaded only by diagrams that use them.
    build: { chunkSizeWarningLimit: 2000 },
  },
  themeConfig: {
    nav: [
      { text: 'Overview', link: '/overview' },
      { text: 'Operate', link: '/operating' },
      { text: 'API', link: '/api/' },
      { text: 'Changelog', link: '/changelog' },
    ],
    sidebar,
    outline: { level: [2, 3] },
    search: { provider: 'local' },
    docFooter: { prev: false, next: false },
  },
})
