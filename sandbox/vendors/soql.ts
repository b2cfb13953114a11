/**
 * The part of SOQL that the service uses: conditions joined by AND and OR, with comparisons, IN and LIKE, a list of child
 * records, an order and a limit.
 */

export type SoqlRow = Record<string, unknown>
export type Query = {
  fields: string[]
  /** A subquery for child records. */
  children: { relation: string; fields: string[] } | null
  object: string
  matches: (row: SoqlRow) => boolean
  /** The fields of the conditions. */
  names: string[]
  /** The earliest modification date that the conditions allow, in milliseconds. */
  modifiedSince: number | null
  /** Whether the rows are wanted by modification date and id, for which the organization has an index. */
  isByModification: boolean
  /** Sorts the rows and cuts them to the limit. */
  sort: (rows: SoqlRow[]) => SoqlRow[]
}

type Condition = (row: SoqlRow) => boolean
const CHILDREN = /, \(SELECT ([\w, ]+) FROM (\w+)\)/

/** Throws an error with SOQL's message. */
export function parseSoql(given: string): Query {
  const [, childFields, relation] = CHILDREN.exec(given) ?? []
  const text = given.replace(CHILDREN, '')
  const [, select = '', object = '', rest = ''] = /^SELECT (.+?) FROM (\w+)(.*)$/s.exec(text) ?? []
  if (!object) throw new Error(`unexpected token: '${text.slice(0, 20)}'`)
  const [, where, order, limit] = /^(?: WHERE (.+?))?(?: ORDER BY ([\w, ]+?))?(?: LIMIT (\d+))?$/s.exec(rest) ?? []
  const names: string[] = []
  const matches = where ? parseCondition(tokenize(where), names) : () => true
  const isByModification = order === 'SystemModstamp, Id'
  const cut = (rows: SoqlRow[]) => (limit === undefined ? rows : rows.slice(0, Number(limit)))
  const since = /^SystemModstamp >= ([\w.:+-]+)(?: AND |$)/.exec(where ?? '')?.[1]
  return {
    fields: select.split(', '),
    children: relation && childFields ? { relation, fields: childFields.split(', ') } : null,
    object,
    matches,
    names,
    modifiedSince: since ? Date.parse(since) : null,
    isByModification,
    sort: (rows) => cut(isByModification ? rows : inOrder(rows, order)),
  }
}

function inOrder(rows: SoqlRow[], order: string | undefined): SoqlRow[] {
  const keys = order?.split(', ').map((key) => key.split(' ') as [string, string?]) ?? []
  return rows.toSorted((a, b) => {
    for (const [name, direction] of keys) {
      const [left, right] = [String(a[name] ?? ''), String(b[name] ?? '')]
      if (left !== right) return left < right === (direction !== 'DESC') ? -1 : 1
    }
    return 0
  })
}

function tokenize(text: string): string[] {
  return text.match(/'(?:[^'\\]|\\.)*'|[<>]=?|[(),=]|[\w.:+-]+/g) ?? []
}

function parseCondition(tokens: string[], names: string[]): Condition {
  let at = 0
  const next = () => {
    const token = tokens[at++]
    if (token === undefined) throw new Error('unexpected end of query')
    return token
  }

  function any(): Condition {
    const parts = [all()]
    while (tokens[at] === 'OR') {
      at++
      parts.push(all())
    }
    return (row) => parts.some((part) => part(row))
  }

  function all(): Condition {
    const parts = [one()]
    while (tokens[at] === 'AND') {
      at++
      parts.push(one())
    }
    return (row) => parts.every((part) => part(row))
  }

  function one(): Condition {
    const name = next()
    if (name === '(') {
      const inner = any()
      if (next() !== ')') throw new Error("expecting a right parentheses, found '<EOF>'")
      return inner
    }
    names.push(name)
    const operator = next()
    if (operator === 'LIKE') return like(name, literal(next()))
    if (/^(=|[<>]=?)$/.test(operator)) return compared(name, operator, next())
    if (operator !== 'IN' || next() !== '(') throw new Error(`unexpected token: '${operator}'`)
    const values = [literal(next())]
    while (next() === ',') values.push(literal(next()))
    return equals(name, values)
  }

  const condition = any()
  if (at < tokens.length) throw new Error(`unexpected token: '${tokens[at]}'`)
  return condition
}

function literal(token: string): string {
  if (!token.startsWith("'")) throw new Error(`unexpected token: '${token}'`)
  return token
    .slice(1, -1)
    .replaceAll(/\\(['\\%_])/g, (whole, character) => (/[%_]/.test(character) ? whole : character))
}

/** A comparison with a string, a date and time, or TRUE and FALSE. */
function compared(name: string, operator: string, token: string): Condition {
  if (/^(TRUE|FALSE)$/i.test(token)) return (row) => (row[name] === true) === (token.toUpperCase() === 'TRUE')
  if (token.startsWith("'") && operator === '=') return equals(name, [literal(token)])
  const isDate = !token.startsWith("'")
  const wanted = isDate ? Date.parse(token) : literal(token)
  if (Number.isNaN(wanted)) throw new Error(`unexpected token: '${token}'`)
  return (row) => {
    const held = isDate ? Date.parse(String(row[name])) : String(row[name])
    if (operator === '=') return held === wanted
    if (operator.startsWith('>')) return held > wanted || (operator === '>=' && held === wanted)
    return held < wanted || (operator === '<=' && held === wanted)
  }
}

/** Salesforce compares strings case-insensitively. */
function equals(name: string, values: string[]): Condition {
  const wanted = new Set(values.map((value) => value.toLowerCase()))
  return (row) => typeof row[name] === 'string' && wanted.has(row[name].toLowerCase())
}

function like(name: string, pattern: string): Condition {
  const source = pattern
    .split(/(\\[%_]|%|_)/)
    .map((part) =>
      part === '%'
        ? '.*'
        : part === '_'
          ? '.'
          : part.replace(/^\\([%_])$/, '$1').replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'),
    )
    .join('')
  const test = new RegExp(`^${source}$`, 'is')
  return (row) => typeof row[name] === 'string' && test.test(row[name])
}
