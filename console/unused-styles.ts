import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { transform } from 'lightningcss'
import type { Plugin } from 'vite'

/** Mantine's own classes have names such as `m_8fb7ebe7`. */
const OWN = /^m_[0-9a-f]{6,}$/

const SOURCES = `${import.meta.dirname}/src/`

function hashOf(folder: string): string {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name))
  const hash = createHash('sha256')
  for (const name of names.sort()) hash.update(name).update(readFileSync(folder + name))
  return hash.digest('hex').slice(0, 16)
}

/** Leaves out the styles of Mantine's components that no page uses: its one file has those of all of them. */
export function dropUnusedStyles(): Plugin {
  return {
    name: 'drop-unused-styles',
    apply: 'build',
    // The name of the file holds a hash of the styles before any is left out, so what decides about that must be among them:
    // a browser keeps the file under its name for ever.
    transform: (code, id) => (id.endsWith('/src/main.css') ? `${code}:root{--sources:"${hashOf(SOURCES)}"}` : null),
    generateBundle(_options, bundle) {
      const files = Object.values(bundle)
      const code = files.flatMap((file) => (file.type === 'chunk' ? [file.code] : []))
      const used = new Set(code.flatMap((text) => text.match(/\bm_[0-9a-f]{6,}\b/g) ?? []))
      for (const file of files) {
        if (file.type !== 'asset' || !file.fileName.endsWith('.css')) continue
        const { code } = transform({
          filename: file.fileName,
          code: Buffer.from(file.source),
          minify: true,
          visitor: {
            Rule: {
              style(rule) {
                const needs = rule.value.selectors.map((selector) =>
                  selector.every((part) => part.type !== 'class' || !OWN.test(part.name) || used.has(part.name)),
                )
                return needs.some(Boolean) ? undefined : []
              },
            },
          },
        })
        file.source = code
      }
    },
  }
}
