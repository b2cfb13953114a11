import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * The layers of the source, lowest first. A file imports only from its own layer and from lower layers. The workflows are
 * ordered: delivery, people, research, privacy.
 */
const LAYERS: readonly (readonly [name: string, files: RegExp])[] = [
  ['engine', /^engine\//],
  ['shared', /^shared\//],
  ['database and network', /^(db|outbound)\//],
  // The CRM vendors declare their own environment variables, which the configuration collects.
  ['CRM vendors', /^providers\/crm\//],
  ['configuration', /^config\//],
  ['providers', /^providers\/(?!crm\/)/],
  ['dependencies', /^deps\//],
  ['jobs', /^jobs\//],
  ['audit', /^audit\//],
  ['http', /^http\//],
  ['resources', /^resources\//],
  ['delivery', /^delivery\//],
  ['people', /^people\//],
  ['research', /^research\//],
  ['privacy', /^privacy\//],
  ['imports, setup and backup', /^(imports|setup|backup)\//],
  ['mcp', /^mcp\//],
  ['app', /^app\//],
  ['cli', /^cli\//],
]

type Rule = {
  /** The reason for the rule; printed when it is violated. */
  because: string
  /** Files the rule applies to. */
  from: RegExp
  /** Forbidden imports: a path below src, or a package. */
  not: RegExp
  /** Files that are exempt. */
  except?: RegExp
  /** Whether type-only imports are forbidden too. */
  types?: boolean
}

const STORE = /(^|\/|-)store\.ts$/

const RULES: Rule[] = [
  {
    because: 'the engine is pure: text in, findings out',
    from: /^engine\//,
    // An allow list: only its own files and libraries that parse text.
    not: /^(?!engine\/)(?!(htmlparser2|feedsmith|tldts|i18n-iso-countries|robots-parser|libphonenumber-js)$)/,
    // The classifier and the parsers run on worker threads; contents and erased people are compared by hashes, archives decompressed.
    // The list of places is read at the first lookup.
    except:
      /^engine\/(classifier\/(inference-thread|inference-worker|priority|score-cache|weights)|threads\/(pool|tasks|thread)|content\/(index|zip)|places\/gazetteer|redact\/hashes)\.ts$/,
  },
  {
    because: 'external lists are opened in parser threads only; other code reads them in batches (parseBatches)',
    from: /^(?!engine\/)/,
    not: /^engine\/json\/parse-list\.ts$/,
  },
  {
    because: 'the native runtime blocks its thread: only the classifier thread may call it',
    from: /./,
    not: /^onnxruntime-node$/,
    except: /^engine\/classifier\/inference-worker\.ts$/,
  },
  { because: 'a route is a line of a table; SQL lives in stores', from: /routes\.ts$/, not: /^db\// },
  {
    because: 'only app/routes.ts collects route files',
    from: /./,
    not: /routes\.ts$/,
    except: /^app\//,
  },
  {
    because: 'a store holds SQL and no rules, and imports nothing above it',
    from: STORE,
    not: /^(http|jobs|outbound)\/|^(resources|research|people|delivery|privacy)\/(?!.*(store|schema)\.ts$)/,
    except: /^http\//,
  },
  { because: 'a store calls no provider', from: STORE, not: /^providers\//, types: false },
  { because: 'SQL lives in stores and in db/', from: /^(?!db\/)(?!.*store\.ts$)/, not: /^(kysely|pg)$/, types: false },
  {
    because: 'http serves any resource and imports none',
    from: /^http\//,
    not: /^(resources|research|people|delivery|privacy)\//,
  },
  { because: 'a provider calls third parties and does not use the database', from: /^providers\//, not: /^db\// },
  {
    because: 'jobs/queue.ts is the only file that imports pg-boss',
    from: /./,
    not: /^pg-boss$/,
    except: /^jobs\/queue\.ts$/,
  },
  {
    because: 'a command that uses a service over its API loads nothing of the service',
    from: /^cli\/(completion|examples|remote\/.*|terminal\/.*)\.ts$/,
    not: /^(?!node:|cli\/(remote|terminal)\/|outbound\/addresses\.ts$|(@bellwether\/client|commander)$)/,
    types: false,
  },
  {
    because: 'only outbound/ opens network connections',
    from: /./,
    not: /^(undici|nodemailer|node:https?|node:http2|node:net|node:tls|node:dgram|node:dns(\/promises)?)$/,
    except: /^outbound\//,
    types: false,
  },
]

/** Text that only the named files may contain. */
const WORDS: { because: string; words: RegExp; except: RegExp }[] = [
  {
    because: 'config.ts is the only reader of the environment',
    words: /\bprocess\.env\b|from 'node:process'/,
    // The command line reads the user's target, colours and editor. The service reads none of it.
    except: /^(config\/config|cli\/terminal\/io)\.ts$/,
  },
  {
    because: 'only outbound/ opens network connections',
    words: /(?<![.\w])fetch\(/,
    except: /^outbound\//,
  },
  {
    because: 'SQL lives in stores and in db/',
    words: /(?<![.\w])sql(<[^`]*>)?`|\.(selectFrom|insertInto|updateTable|deleteFrom)\(/,
    except: /^db\/|store\.ts$/,
  },
]

type Import = { target: string; typesOnly: boolean }
type Source = { name: string; text: string; imports: Import[] }

export type Borders = {
  /** Violations, one line each. */
  crossed: string[]
  /** Counts of the source, one line each. */
  figures: string[]
}

/** Reads every source file below a folder and returns the violations. */
export function checkBorders(root: string): Borders {
  const sources = readSources(root)
  const uphill = sources.flatMap(uphillImports)
  const folders = findCycles(sources, dirname)
  const files = findCycles(sources, (name) => name)
  const twice = namesExportedTwice(sources)
  const crossed = [
    ...sources.flatMap(crossedRules),
    ...sources.flatMap(notAStore),
    ...sources.filter(({ name }) => layerOf(name) < 0).map(({ name }) => `${name} is in no layer: see LAYERS`),
    ...uphill,
    ...folders.cycles.map((cycle) => `${cycle.join(' <-> ')}: folders that import each other in a circle`),
    ...files.cycles.map((cycle) => `${cycle.join(' <-> ')}: files that import each other in a circle`),
    ...twice.map(({ name, files }) => `${name} is exported more than once: ${files.join(', ')}`),
  ]
  const lines = sources.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0)
  const figures = [
    `Lines of src without tests: ${lines} in ${sources.length} files.`,
    `Exported names that occur twice: ${twice.length}.`,
    `Import circles, types included: ${folders.cycles.length} among ${folders.nodes} folders, ${files.cycles.length} among ${files.nodes} files.`,
    `Imports uphill: ${uphill.length}.`,
  ]
  return { crossed, figures }
}

/** A search for an exported name must find one file; vendors of the same shape, and migrations, are exempt. */
function namesExportedTwice(sources: readonly Source[]): { name: string; files: string[] }[] {
  const filesByName = new Map<string, Set<string>>()
  for (const { name: file, text } of sources) {
    for (const [, name = ''] of text.matchAll(EXPORT)) {
      filesByName.set(name, (filesByName.get(name) ?? new Set()).add(file))
    }
  }
  const shape = (file: string) => (SAME_SHAPED.test(file) ? file.replace(SAME_SHAPED, '$1') : file)
  return [...filesByName]
    .filter(([, files]) => new Set([...files].map(shape)).size > 1)
    .map(([name, files]) => ({ name, files: [...files] }))
}

const EXPORT = /^export (?:async )?(?:function\*?|class|const|type) (\w+)/gm

/** `$1` is the common part of files of the same shape. */
const SAME_SHAPED = /^(db\/migrations\/|providers\/crm\/)(?:\d{4}-|(?:hubspot|salesforce)\/).*$/

function crossedRules({ name, text, imports }: Source): string[] {
  const byImport = imports.flatMap(({ target, typesOnly }) =>
    RULES.filter(({ from, not, except, types = true }) => {
      return from.test(name) && not.test(target) && !except?.test(name) && (types || !typesOnly)
    }).map(({ because }) => `${name} imports ${target}: ${because}`),
  )
  const byWords = WORDS.filter(({ words, except }) => !except.test(name) && words.test(text))
  return [...byImport, ...byWords.map(({ because }) => `${name}: ${because}`)]
}

/** A file named store must query the database. */
function notAStore({ name, imports }: Source): string[] {
  const isStore = STORE.test(name)
  const knowsDatabase = imports.some(({ target }) => target === 'kysely' || target.startsWith('db/'))
  return isStore && !knowsDatabase ? [`${name} is called a store and holds no SQL`] : []
}

function uphillImports({ name, imports }: Source): string[] {
  const own = layerOf(name)
  return imports.flatMap(({ target }) => {
    const other = target.endsWith('.ts') ? layerOf(target) : -1
    return other > own ? [`${name} imports ${target} uphill: ${nameOf(own)} below ${nameOf(other)}`] : []
  })
}

/** The highest layer that matches the file. */
function layerOf(name: string): number {
  return LAYERS.findLastIndex(([, files]) => files.test(name))
}

const nameOf = (layer: number) => LAYERS[layer]?.[0] ?? 'outside'

type Graph = { nodes: number; cycles: string[][] }

/** The strongly connected components of the import graph that have more than one node (Tarjan); type imports count. */
function findCycles(sources: Source[], nodeOf: (file: string) => string): Graph {
  const known = new Set(sources.map(({ name }) => name))
  const edges = new Map<string, Set<string>>()
  for (const { name, imports } of sources) {
    const targets = edges.get(nodeOf(name)) ?? new Set()
    for (const { target } of imports) if (known.has(target)) targets.add(nodeOf(target))
    edges.set(nodeOf(name), targets)
  }
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const cycles: string[][] = []

  function visit(node: string): number {
    const own = index.size
    index.set(node, own)
    stack.push(node)
    let lowest = own
    for (const target of edges.get(node) ?? []) {
      if (!index.has(target)) lowest = Math.min(lowest, visit(target))
      else if (stack.includes(target)) lowest = Math.min(lowest, low.get(target) ?? (index.get(target) as number))
    }
    low.set(node, lowest)
    if (lowest === own) {
      const component = stack.splice(stack.indexOf(node))
      if (component.length > 1) cycles.push(component.sort())
    }
    return lowest
  }

  for (const node of edges.keys()) if (!index.has(node)) visit(node)
  return { nodes: edges.size, cycles }
}

function readSources(root: string): Source[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((file) => {
      const text = readFileSync(file, 'utf8')
      return { name: relative(root, file).replaceAll('\\', '/'), text, imports: importsOf(root, file, text) }
    })
}

function importsOf(root: string, file: string, text: string): Import[] {
  const pattern = /(\b(?:import|export)\s+type\s[^'"]*?)?(?:\bfrom\s+|\bimport\s*\(\s*|\bimport\s+)['"]([^'"]+)['"]/g
  return [...text.matchAll(pattern)].map(([, typeKeyword, specifier = '']) => ({
    target: specifier.startsWith('.')
      ? relative(root, resolve(dirname(file), specifier)).replaceAll('\\', '/')
      : packageOf(specifier),
    typesOnly: typeKeyword !== undefined,
  }))
}

function packageOf(specifier: string): string {
  if (specifier.startsWith('node:')) return specifier
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}

if (import.meta.main) {
  const source = process.argv[2] ?? fileURLToPath(new URL('../src', import.meta.url))
  const { crossed, figures } = checkBorders(resolve(source))
  for (const line of crossed) console.error(line)
  for (const line of figures) console.log(line)
  if (crossed.length > 0) process.exit(1)
  console.log('No border is crossed.')
}
