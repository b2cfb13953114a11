// Links of the pages: rewritten to addresses of the site before the build, and checked in its output.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'

/** Applies `change` to the prose of a Markdown text and leaves code blocks and inline code as they are. */
function outsideCode(markdown: string, change: (text: string) => string): string {
  const code = /(^ {0,3}```[^\n]*\n[\s\S]*?^ {0,3}```[^\n]*$|^(?: {4}|\t)[^\n]*$|`[^`\n]+`)/m
  return markdown
    .split(new RegExp(code, 'gm'))
    .map((part, index) => (index % 2 === 0 ? change(part) : part))
    .join('')
}

/** Where a file that is no page is served. VitePress would take an address that ends in .md for a page. */
export const publicFile = (file: string): string => `files/${file.replace(/\.md$/, '.md.txt')}`

/**
 * Rewrites links between files of the repository. `pages` maps a file to its address. Other files that exist are returned in
 * `files`, to be copied to the site; a link that leads nowhere throws.
 */
export function rewriteLinks(
  markdown: string,
  source: string,
  pages: Map<string, string>,
  root: string,
): { markdown: string; files: string[] } {
  const files: string[] = []
  const rewritten = outsideCode(markdown, (text) =>
    // Vue would evaluate double braces in prose.
    text.replaceAll('{{', '&#123;&#123;').replaceAll(/(!?)\[([^\]]*)\]\(([^)\s]+)\)/g, (whole, mark, label, target) => {
      const [path = '', anchor] = (target as string).split('#')
      if (path === '' || /^[a-z]+:/.test(path)) return whole
      const file = posix.join(dirname(source), path).replace(/\/$/, '/README.md')
      const suffix = anchor === undefined ? '' : `#${anchor}`
      const page = pages.get(file)
      if (page !== undefined) return `[${label}](/${page}.md${suffix})`
      if (!existsSync(join(root, file))) throw new Error(`${source} links to ${target}, which does not exist.`)
      files.push(file)
      return `${mark}[${label}](/${publicFile(file)}${suffix})`
    }),
  )
  return { markdown: rewritten, files }
}

/** Links of the built pages to a page, a file or a heading that is not in the output. VitePress does not check headings. */
export function deadLinks(dist: string, base: string): string[] {
  const pages = new Map<string, { ids: Set<string>; links: Set<string> }>()
  for (const file of globSync('**/*.html', { cwd: dist })) {
    const html = readFileSync(join(dist, file), 'utf8')
    const all = (pattern: RegExp) => new Set([...html.matchAll(pattern)].map(([, value]) => decode(value as string)))
    pages.set(file, { ids: all(/\sid="([^"]+)"/g), links: all(/<a\s[^>]*?href="([^"]+)"/g) })
  }
  return [...pages].flatMap(([file, { links }]) =>
    [...links]
      .filter((link) => !/^[a-z]+:/.test(link))
      .filter((link) => {
        const url = new URL(link, `http://site${base}${file}`)
        const path = decodeURIComponent(url.pathname).slice(base.length)
        const target = path === '' || path.endsWith('/') ? `${path}index.html` : path
        const page = pages.get(target)
        if (!page) return !existsSync(join(dist, target))
        return url.hash !== '' && !page.ids.has(decodeURIComponent(url.hash.slice(1)))
      })
      .map((link) => `${file}: ${link}`),
  )
}

const decode = (value: string): string =>
  value.replaceAll('&amp;', '&').replaceAll('&quot;', '"').replaceAll('&#39;', "'")
