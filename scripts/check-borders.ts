import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

type Rule = {
  /** Why the border is there; shown when it is crossed. */
  because: string
  /** Files the rule is about. */
  from: RegExp
  /** What they must not import: a path below src, or a package. */
  not: RegExp
  /** Files it does not hold for. */
  except?: RegExp
}

const TEST = /\.test\.ts$/

export const RULES: Rule[] = [
  {
    because: 'the engine is pure: text in, findings out',
    from: /^engine\//,
    // An allow-list: only its own files and libraries that read text or know names.
    not: /^(?!engine\/)(?!(htmlparser2|feedsmith|i18n-iso-countries|tldts)$)/,
  },
  {
    because: 'a route is a line of a table; SQL lives in stores',
    from: /^resources\/[^/]+\/routes\.ts$/,
    not: /^(kysely|pg)$|^db\//,
  },
  {
    because: 'one resource never goes through the routes of another',
    from: /./,
    not: /^resources\/[^/]+\/routes\.ts$/,
    except: /^all-routes\.ts$/,
  },
  {
    because: 'a store holds SQL and no rules',
    from: /^resources\/[^/]+\/store\.ts$/,
    not: /^(http|jobs|outbound|providers)\//,
  },
  {
    because: 'the database knows nothing of what is built on it',
    from: /^db\//,
    not: /^(http|jobs|outbound|providers|resources|cli|mcp)\//,
  },
  {
    because: 'jobs/queue.ts is the only file that knows pg-boss',
    from: /./,
    not: /^pg-boss$/,
    except: /^jobs\/queue\.ts$/,
  },
  {
    because: 'outbound/ is the only way out of the process',
    from: /./,
    not: /^(undici|node:https?|node:http2|node:net|node:tls|node:dgram|node:dns(\/promises)?)$/,
    except: /^(outbound\/|http\/(operation|server)\.ts$)/,
  },
  { because: 'only the composition root builds the service', from: /./, not: /^main\.ts$/, except: /^cli\// },
]

/** Crossed borders below a source folder, each as one line. */
export function crossedBorders(root: string, rules: Rule[] = RULES): string[] {
  return sources(root).flatMap((file) => {
    const name = relative(root, file).replaceAll('\\', '/')
    if (TEST.test(name)) return []
    const text = readFileSync(file, 'utf8')
    const crossed = importsOf(text)
      .map((specifier) =>
        specifier.startsWith('.') ? relative(root, resolve(dirname(file), specifier)) : packageOf(specifier),
      )
      .flatMap((target) =>
        rules
          .filter(({ from, not, except }) => from.test(name) && not.test(target) && !except?.test(name))
          .map(({ because }) => `${name} imports ${target}: ${because}`),
      )
    if (name !== 'config.ts' && /\bprocess\.env\b|from 'node:process'/.test(text)) {
      crossed.push(`${name} reads process.env: config.ts is the only reader`)
    }
    if (!name.startsWith('outbound/') && /(?<![.\w])fetch\(/.test(text)) {
      crossed.push(`${name} calls fetch: outbound/ is the only way out of the process`)
    }
    return crossed
  })
}

function sources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

function importsOf(text: string): string[] {
  return [...text.matchAll(/(?:\bfrom\s+|\bimport\s*\(\s*|\bimport\s+)['"]([^'"]+)['"]/g)].map(
    (match) => match[1] as string,
  )
}

function packageOf(specifier: string): string {
  if (specifier.startsWith('node:')) return specifier
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}

if (import.meta.main) {
  const crossed = crossedBorders(fileURLToPath(new URL('../src', import.meta.url)))
  for (const line of crossed) console.error(line)
  if (crossed.length > 0) process.exit(1)
  console.log('No border is crossed.')
}
