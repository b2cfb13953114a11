import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * The layers of the source, the lowest first. A file imports from its own layer and from those below, never from one above.
 * A noun lies in three layers: its records (schema and stores), its verbs, its routes.
 */
const LAYERS: readonly (readonly [name: string, files: RegExp])[] = [
  ['vocabulary', /^(engine\/|[a-z-]+\.ts$)/],
  ['ground', /^(db|outbound)\//],
  // They declare their own variables, which the configuration composes.
  ['CRM vendors', /^providers\/crm\//],
  ['configuration', /^(config|config-variables|log)\.ts$/],
  ['providers', /^providers\/(?!crm\/)/],
  ['parts', /^deps\.ts$/],
  ['queue', /^jobs\//],
  ['http', /^http\//],
  ['records', /^(resources|research|people|delivery)\/.*(store|schema)\.ts$/],
  ['rooms', /^(research|people|delivery)\/(?!.*(store|schema)\.ts$)/],
  ['verbs', /^resources\/(?!.*(store|schema|routes)\.ts$)/],
  ['routes', /^resources\/[^/]+\/routes\.ts$/],
  ['imports and setup', /^(imports|setup)\//],
  ['composition', /^(cli\/|mcp\/|(main|open-database)\.ts$|all-(jobs|routes|webhooks)\.ts$)/],
]

type Rule = {
  /** Why the border is there; shown when it is crossed. */
  because: string
  /** Files the rule is about. */
  from: RegExp
  /** What they must not import: a path below src, or a package. */
  not: RegExp
  /** Files it does not hold for. */
  except?: RegExp
  /** Whether an import of types alone is meant, too. */
  types?: boolean
}

const STORE = /(^|\/|-)store\.ts$/

const RULES: Rule[] = [
  {
    because: 'the engine is pure: text in, findings out',
    from: /^engine\//,
    // An allow-list: only its own files and libraries that read text.
    not: /^(?!engine\/)(?!(htmlparser2|feedsmith|tldts|i18n-iso-countries|robots-parser|libphonenumber-js)$)/,
    // The reader's network and the reading of documents run on threads of their own; contents and erased people are compared by hashes.
    except:
      /^engine\/(classifier\/(inference-thread|inference-worker|priority|score-cache|weights)|threads\/(pool|tasks|thread)|content\/index|redact\/hashes)\.ts$/,
  },
  {
    because: 'lists of others are opened in reading threads; elsewhere they are taken in batches (inTurns of turns.ts)',
    from: /^(?!engine\/)/,
    not: /^engine\/open-external\.ts$/,
  },
  {
    because: "the native runtime computes where it is called: only the reader's thread may",
    from: /./,
    not: /^onnxruntime-node$/,
    except: /^engine\/classifier\/inference-worker\.ts$/,
  },
  { because: 'a route is a line of a table; SQL lives in stores', from: /\/routes\.ts$/, not: /^db\// },
  {
    because: 'one resource never goes through the routes of another',
    from: /./,
    not: /^resources\/[^/]+\/routes\.ts$/,
    except: /^all-routes\.ts$/,
  },
  {
    because: 'a store holds SQL and no rules, and imports nothing above it',
    from: STORE,
    not: /^(http|jobs|outbound)\/|^(resources|research|people|delivery)\/(?!.*(store|schema)\.ts$)/,
    except: /^http\//,
  },
  { because: 'a store asks no provider', from: STORE, not: /^providers\//, types: false },
  { because: 'SQL lives in stores and in db/', from: /^(?!db\/)(?!.*store\.ts$)/, not: /^(kysely|pg)$/, types: false },
  {
    because: 'http serves any resource and imports none',
    from: /^http\//,
    not: /^(resources|research|people|delivery)\//,
  },
  { because: 'a provider speaks to the outside and knows no database', from: /^providers\//, not: /^(db\/|deps\.ts)/ },
  {
    because: 'jobs/queue.ts is the only file that knows pg-boss',
    from: /./,
    not: /^pg-boss$/,
    except: /^jobs\/queue\.ts$/,
  },
  {
    because: 'a command that speaks to a service over its API loads nothing of the service',
    from: /^cli\/(completion|examples|remote\/.*|terminal\/.*)\.ts$/,
    not: /^(?!node:|cli\/(remote|terminal)\/|outbound\/addresses\.ts$|(@bellwether\/client|commander)$)/,
    types: false,
  },
  {
    because: 'outbound/ is the only way out of the process',
    from: /./,
    not: /^(undici|node:https?|node:http2|node:net|node:tls|node:dgram|node:dns(\/promises)?)$/,
    except: /^outbound\//,
    types: false,
  },
]

/** What no file may hold but those named, whatever it imports. */
const WORDS: { because: string; words: RegExp; except: RegExp }[] = [
  {
    because: 'config.ts is the only reader of the environment',
    words: /\bprocess\.env\b|from 'node:process'/,
    // What a person's command takes from theirs: where to, colours, the editor. The service reads none of it.
    except: /^(config|cli\/terminal\/io)\.ts$/,
  },
  {
    because: 'outbound/ is the only way out of the process',
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
  /** Crossed borders, each as one line. */
  crossed: string[]
  /** What the import graph looks like, in a sentence. */
  graph: string
}

/** Reads every source file below a folder and says which borders are crossed. */
export function checkBorders(root: string): Borders {
  const sources = readSources(root)
  const uphill = sources.flatMap(uphillImports)
  const everywhere = findCycles(sources, folderOf)
  // Verbs may call rooms, and rooms read the records of the same noun; among themselves nouns make no circle at all.
  const nouns = findCycles(
    sources.filter(({ name }) => name.startsWith('resources/')),
    dirname,
  )
  const cycles = [...everywhere.cycles, ...nouns.cycles]
  const crossed = [
    ...sources.flatMap(crossedRules),
    ...sources.flatMap(notAStore),
    ...sources.filter(({ name }) => layerOf(name) < 0).map(({ name }) => `${name} lies in no layer: see LAYERS`),
    ...uphill,
    ...cycles.map((cycle) => `${cycle.join(' <-> ')}: folders that import each other in a circle`),
  ]
  const count = ({ folders, cycles }: Graph, what: string) => `${folders} ${what}, ${cycles.flat().length} in cycles`
  const graph = `${count(nouns, 'nouns')}; ${count(everywhere, 'folders')}; ${uphill.length} imports uphill.`
  return { crossed, graph }
}

function crossedRules({ name, text, imports }: Source): string[] {
  const byImport = imports.flatMap(({ target, typesOnly }) =>
    RULES.filter(({ from, not, except, types = true }) => {
      return from.test(name) && not.test(target) && !except?.test(name) && (types || !typesOnly)
    }).map(({ because }) => `${name} imports ${target}: ${because}`),
  )
  const byWords = WORDS.filter(({ words, except }) => !except.test(name) && words.test(text))
  return [...byImport, ...byWords.map(({ because }) => `${name}: ${because}`)]
}

/** A file that is called a store is one: it speaks to the database. */
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

/** The highest layer that claims the file. */
function layerOf(name: string): number {
  return LAYERS.findLastIndex(([, files]) => files.test(name))
}

const nameOf = (layer: number) => LAYERS[layer]?.[0] ?? 'outside'

/** A folder; the records of a room or a noun apart from the rest of it; a file beside the folders by itself. */
function folderOf(name: string): string {
  const folder = dirname(name)
  if (folder === '.') return name
  return nameOf(layerOf(name)) === 'records' ? `${folder} (records)` : folder
}

type Graph = { folders: number; cycles: string[][] }

/** Strongly connected components of the import graph of folders (Tarjan), those of more than one folder. */
function findCycles(sources: Source[], folderOf: (name: string) => string): Graph {
  const known = new Set(sources.map(({ name }) => name))
  const edges = new Map<string, Set<string>>()
  for (const { name, imports } of sources) {
    const targets = edges.get(folderOf(name)) ?? new Set()
    for (const { target } of imports) if (known.has(target)) targets.add(folderOf(target))
    edges.set(folderOf(name), targets)
  }
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const cycles: string[][] = []

  function visit(folder: string): number {
    const own = index.size
    index.set(folder, own)
    stack.push(folder)
    let lowest = own
    for (const target of edges.get(folder) ?? []) {
      if (!index.has(target)) lowest = Math.min(lowest, visit(target))
      else if (stack.includes(target)) lowest = Math.min(lowest, low.get(target) ?? (index.get(target) as number))
    }
    low.set(folder, lowest)
    if (lowest === own) {
      const component = stack.splice(stack.indexOf(folder))
      if (component.length > 1) cycles.push(component.sort())
    }
    return lowest
  }

  for (const folder of edges.keys()) if (!index.has(folder)) visit(folder)
  return { folders: edges.size, cycles }
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
  const { crossed, graph } = checkBorders(resolve(source))
  for (const line of crossed) console.error(line)
  console.log(graph)
  if (crossed.length > 0) process.exit(1)
  console.log('No border is crossed.')
}
