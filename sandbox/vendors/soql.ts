/** The part of SOQL that the service uses: conditions joined by AND and OR, with =, IN and LIKE, an order and a limit. */

export type SoqlRow = Record<string, unknown>
export type Query = {
  fields: string[]
  object: string
  matches: (row: SoqlRow) => boolean
  /** The fields of the conditions. */
  names: string[]
  /** Sorts the rows and cuts them to the limit. */
  sort: (rows: SoqlRow[]) => SoqlRow[]
}

type Condition = (row: SoqlRow) => boolean

/** Throws an error with SOQL's message. */
export function parseSoql(text: string): Query {
  const [, select = '', object = '', rest = ''] = /^SELECT (.+?) FROM (\w+)(.*)$/s.exec(text) ?? []
  if (!object) throw new Error(`unexpected token: '${text.slice(0, 20)}'`)
  const [, where, order, limit] = /^(?: WHERE (.+?))?(?: ORDER BY ([\w, ]+?))?(?: LIMIT (\d+))?$/s.exec(rest) ?? []
  const names: string[] = []
  const matches = where ? parseCondition(tokenize(where), names) : () => true
  const sort = (rows: SoqlRow[]) => inOrder(rows, order).slice(0, limit === undefined ? undefined : Number(limit))
  return { fields: select.split(', '), object, matches, names, sort }
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
  return text.match(/'(?:[^'\\]|\\.)*'|\w+|[(),=]/g) ?? []
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
    if (operator === '=') return equals(name, [literal(next())])
    if (operator === 'LIKE') return like(name, literal(next()))
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
