// Renders the part of Go's text/template, with functions of Helm, that deploy/helm uses, so that the chart is tested without
// Helm; check.yml runs Helm itself. Everything that is not implemented is an error, so that a template that this file accepts
// means the same to Helm.
import { createHash } from 'node:crypto'
import { stringify } from 'yaml'

type Value = unknown
type Scope = { dot: Value; variables: Map<string, Value> }
type Expression =
  | { kind: 'literal'; value: Value }
  | { kind: 'path'; from: string | null; names: string[] }
  | { kind: 'call'; name: string; args: Expression[] }
type Node =
  | { kind: 'text'; text: string }
  | { kind: 'print'; value: Expression }
  | { kind: 'set'; name: string; value: Expression }
  | { kind: 'if' | 'with'; value: Expression; body: Node[]; otherwise: Node[] }
  | { kind: 'range'; key: string; item: string; value: Expression; body: Node[] }

const ACTION = /\{\{(- )?\s*(\/\*[\s\S]*?\*\/|(?:"(?:[^"\\]|\\.)*"|(?!-?\}\}|\{\{)[\s\S])*?)\s*( -)?\}\}/g
const TOKEN = /\s*("(?:[^"\\]|\\.)*"|\$?(?:\.\w+)+|\$\w*(?:\.\w+)*|\.|-?\d+|\w+|:=|[|(),])/y

/** A set of templates that include each other. */
export class GoTemplates {
  readonly #defined = new Map<string, Node[]>()

  /** Reads a file: its definitions, and the rest, which `render` takes. Throws on syntax that is not known here. */
  parse(file: string, source: string): Node[] {
    return new Parser(file, source, this.#defined).nodes
  }

  render(nodes: readonly Node[], scope: Value): string {
    return this.#run(nodes, { dot: scope, variables: new Map([['$', scope]]) })
  }

  #run(nodes: readonly Node[], scope: Scope): string {
    let out = ''
    for (const node of nodes) {
      if (node.kind === 'text') out += node.text
      else if (node.kind === 'print') out += print(this.#evaluate(node.value, scope))
      else if (node.kind === 'set') scope.variables.set(node.name, this.#evaluate(node.value, scope))
      else {
        const value = this.#evaluate(node.value, scope)
        const inner = (dot: Value, more: [string, Value][] = []) => ({
          dot,
          variables: new Map([...scope.variables, ...more]),
        })
        if (node.kind === 'range') {
          if (!isMap(value)) throw new Error('range: only maps are known here.')
          // Go visits the keys of a map in order.
          for (const key of Object.keys(value).sort())
            out += this.#run(
              node.body,
              inner(value[key], [
                [node.key, key],
                [node.item, value[key]],
              ]),
            )
        } else if (!isTrue(value)) out += this.#run(node.otherwise, inner(scope.dot))
        else out += this.#run(node.body, inner(node.kind === 'with' ? value : scope.dot))
      }
    }
    return out
  }

  #evaluate(expression: Expression, scope: Scope): Value {
    if (expression.kind === 'literal') return expression.value
    if (expression.kind === 'path') {
      const { from, names } = expression
      if (from !== null && !scope.variables.has(from)) throw new Error(`The variable ${from} is not set.`)
      return names.reduce<Value>(
        (value, name) => {
          if (!isMap(value)) throw new Error(`${names.join('.')}: there is no ${name} in ${JSON.stringify(value)}.`)
          return value[name]
        },
        from === null ? scope.dot : scope.variables.get(from),
      )
    }
    const args = expression.args.map((arg) => this.#evaluate(arg, scope))
    if (expression.name === 'include') {
      const [name, dot] = args
      const found = this.#defined.get(text(name))
      if (!found || args.length !== 2) throw new Error(`include: there is no template ${name}.`)
      return this.render(found, dot)
    }
    const known = FUNCTIONS[expression.name]
    if (!known) throw new Error(`The function ${expression.name} is not known here.`)
    // Functions with any number of arguments have a length of 0.
    if (known.length > 0 && known.length !== args.length)
      throw new Error(`${expression.name}: ${args.length} arguments are not known here.`)
    return known(...args)
  }
}

class Parser {
  readonly nodes: Node[]
  readonly #parts: ({ text: string } | { action: string })[] = []
  readonly #defined: Map<string, Node[]>

  constructor(file: string, source: string, defined: Map<string, Node[]>) {
    this.#defined = defined
    try {
      this.#split(source)
      this.nodes = this.#block([])
    } catch (error) {
      throw new Error(`${file}: ${(error as Error).message}`, { cause: error })
    }
  }

  /** Separates text from actions, and removes the spaces that their dashes ask for. */
  #split(source: string): void {
    let at = 0
    let trims = false
    const push = (text: string, trimsEnd: boolean) => {
      const start = trims ? text.trimStart() : text
      const trimmed = trimsEnd ? start.trimEnd() : start
      if (trimmed.includes('{{') || trimmed.includes('}}')) throw new Error(`Not an action: ${trimmed.slice(0, 80)}`)
      this.#parts.push({ text: trimmed })
    }
    for (const match of source.matchAll(ACTION)) {
      push(source.slice(at, match.index), match[1] !== undefined)
      const action = (match[2] as string).trim()
      if (!action.startsWith('/*')) this.#parts.push({ action })
      trims = match[3] !== undefined
      at = match.index + match[0].length
    }
    push(source.slice(at), false)
  }

  /** Reads until one of the words that end the block, which stays for the caller. */
  #block(ends: readonly string[]): Node[] {
    const nodes: Node[] = []
    for (let part = this.#parts[0]; part; part = this.#parts[0]) {
      if ('text' in part) nodes.push({ kind: 'text', text: part.text })
      else {
        const [word = ''] = part.action.split(/[\s(]/, 1)
        if (ends.includes(word)) return nodes
        const rest = part.action.slice(word.length).trim()
        this.#parts.shift()
        if (word === 'if' || word === 'with') nodes.push(this.#branch(word, rest))
        else if (word === 'range') nodes.push(this.#range(rest))
        else if (word === 'define') {
          this.#defined.set(JSON.parse(rest) as string, this.#block(['end']))
          this.#end()
        } else if (['else', 'end', 'template', 'block', 'break', 'continue'].includes(word))
          throw new Error(`${part.action} is not expected here.`)
        else {
          const set = /^\$(\w+) := (.+)$/s.exec(part.action)
          if (set) nodes.push({ kind: 'set', name: `$${set[1]}`, value: parseExpression(set[2] as string) })
          else nodes.push({ kind: 'print', value: parseExpression(part.action) })
        }
        continue
      }
      this.#parts.shift()
    }
    if (ends.length > 0) throw new Error('An end is missing.')
    return nodes
  }

  #branch(kind: 'if' | 'with', condition: string): Node {
    const value = parseExpression(condition)
    const body = this.#block(['else', 'end'])
    const next = this.#parts.shift() as { action: string }
    if (next.action === 'end') return { kind, value, body, otherwise: [] }
    const chained = /^else if (.+)$/s.exec(next.action)
    if (chained) return { kind, value, body, otherwise: [this.#branch('if', chained[1] as string)] }
    if (next.action !== 'else') throw new Error(`${next.action} is not known here.`)
    const otherwise = this.#block(['end'])
    this.#end()
    return { kind, value, body, otherwise }
  }

  #range(clause: string): Node {
    const [, key, item, over] = /^\$(\w+), \$(\w+) := (.+)$/s.exec(clause) ?? []
    if (!key || !over) throw new Error(`range ${clause}: only "$key, $value := map" is known here.`)
    const body = this.#block(['end'])
    this.#end()
    return { kind: 'range', key: `$${key}`, item: `$${item}`, value: parseExpression(over), body }
  }

  #end(): void {
    this.#parts.shift()
  }
}

function parseExpression(source: string): Expression {
  const tokens: string[] = []
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < source.trimEnd().length) {
    const from = TOKEN.lastIndex
    const token = TOKEN.exec(source)?.[1]
    if (token === undefined) throw new Error(`${source}: not known here from ${source.slice(from)}`)
    if (token === ')' && source[TOKEN.lastIndex] === '.')
      throw new Error(`${source}: a field of a result is not known here.`)
    tokens.push(token)
  }
  const parsed = pipeline(tokens)
  if (tokens.length > 0) throw new Error(`${source}: ${tokens[0]} is not expected.`)
  return parsed
}

/** Of `a | f b`, the value of `a` is the last argument of `f`. */
function pipeline(tokens: string[]): Expression {
  let value = command(tokens)
  while (tokens[0] === '|') {
    tokens.shift()
    const next = command(tokens)
    if (next.kind !== 'call') throw new Error('Only a function may follow a pipe.')
    value = { ...next, args: [...next.args, value] }
  }
  return value
}

function command(tokens: string[]): Expression {
  const [first = ''] = tokens
  if (!/^[a-zA-Z]\w*$/.test(first) || first === 'true' || first === 'false') return operand(tokens)
  tokens.shift()
  const args: Expression[] = []
  while (tokens.length > 0 && tokens[0] !== '|' && tokens[0] !== ')') args.push(operand(tokens))
  return { kind: 'call', name: first, args }
}

function operand(tokens: string[]): Expression {
  const token = tokens.shift() ?? ''
  if (token === '(') {
    const inner = pipeline(tokens)
    if (tokens.shift() !== ')') throw new Error('A parenthesis is not closed.')
    return inner
  }
  if (token.startsWith('"')) return { kind: 'literal', value: JSON.parse(token) }
  if (/^-?\d+$/.test(token)) return { kind: 'literal', value: Number(token) }
  if (token === 'true' || token === 'false') return { kind: 'literal', value: token === 'true' }
  if (!/^[.$]/.test(token)) throw new Error(`${token} is not expected.`)
  const [from = '', ...names] = token === '.' ? [''] : token.split('.')
  return { kind: 'path', from: from === '' ? null : from, names }
}

const isMap = (value: Value): value is Record<string, Value> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function isTrue(value: Value): boolean {
  if (Array.isArray(value)) return value.length > 0
  return isMap(value) ? Object.keys(value).length > 0 : Boolean(value)
}

/** Throws for values that must not appear in a manifest: a missing value, a map, 1e+06. */
function print(value: Value): string {
  if (typeof value === 'string' || typeof value === 'boolean') return String(value)
  if (Number.isInteger(value) && Math.abs(value as number) < 1_000_000) return String(value)
  throw new Error(`${JSON.stringify(value)} cannot be printed.`)
}

function text(value: Value): string {
  if (typeof value !== 'string') throw new Error(`${JSON.stringify(value)} is not a text.`)
  return value
}

const indent = (spaces: Value, value: Value) => text(value).replaceAll(/^/gm, ' '.repeat(Number(spaces)))

const FUNCTIONS: Record<string, (...args: Value[]) => Value> = {
  and: (...args) => (args.every(isTrue) ? args.at(-1) : args.find((arg) => !isTrue(arg))),
  or: (...args) => args.find(isTrue) ?? args.at(-1),
  not: (value) => !isTrue(value),
  eq: (a, b) => text(a) === text(b),
  ne: (a, b) => text(a) !== text(b),
  ternary: (yes, no, value) => {
    if (typeof value !== 'boolean') throw new Error(`ternary: ${JSON.stringify(value)} is not a boolean.`)
    return value ? yes : no
  },
  default: (fallback, value) => (isTrue(value) ? value : fallback),
  hasKey: (map, key) => {
    if (!isMap(map)) throw new Error(`hasKey: ${JSON.stringify(map)} is not a map.`)
    return text(key) in map
  },
  dict: (...pairs) => {
    if (pairs.length % 2 === 1) throw new Error('dict: a value is missing.')
    const keys = pairs.filter((_, at) => at % 2 === 0)
    return Object.fromEntries(keys.map((key, at) => [text(key), pairs[at * 2 + 1]]))
  },
  list: (...items) => items,
  quote: (value) => JSON.stringify(print(value)),
  printf: (...args) => {
    const [format, ...given] = args
    const out = text(format).replaceAll(/%(.)/g, (_, verb) => {
      if (verb !== 's') throw new Error(`printf: %${verb} is not known here.`)
      return text(given.shift())
    })
    if (given.length > 0) throw new Error(`printf: too many arguments for ${format}.`)
    return out
  },
  trunc: (length, value) => text(value).slice(0, Number(length)),
  trimSuffix: (suffix, value) =>
    text(value).endsWith(text(suffix)) ? text(value).slice(0, -text(suffix).length) : value,
  nindent: (spaces, value) => `\n${indent(spaces, value)}`,
  toYaml: (value) => stringify(value, { sortMapEntries: true, lineWidth: 0 }).trimEnd(),
  sha256sum: (value) => createHash('sha256').update(text(value)).digest('hex'),
}
