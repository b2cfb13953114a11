import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { transform } from 'lightningcss'
import type { Plugin } from 'vite'

/** Mantine's class names, such as `m_8fb7ebe7`. */
const MANTINE_CLASS = /^m_[0-9a-f]{6,}$/

const SOURCES = `${import.meta.dirname}/src/`

function hashOf(folder: string): string {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name))
  const hash = createHash('sha256')
  for (const name of names.sort()) hash.update(name).update(readFileSync(folder + name))
  return hash.digest('hex').slice(0, 16)
}

/** Removes the styles of unused Mantine components from its single stylesheet. */
export function dropUnusedStyles(): Plugin {
  return {
    name: 'drop-unused-styles',
    apply: 'build',
    // The file name contains a hash of the unfiltered styles, and browsers cache the file by name. The hash of the sources
    // changes the name whenever the filter may give another result.
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
                const isUsed = rule.value.selectors.map((selector) =>
                  selector.every(
                    (part) => part.type !== 'class' || !MANTINE_CLASS.test(part.name) || used.has(part.name),
                  ),
                )
                return isUsed.some(Boolean) ? undefined : []
              },
            },
          },
        })
        file.source = code
      }
    },
  }
}
