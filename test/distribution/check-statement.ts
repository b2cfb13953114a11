import { parseSync } from 'libpg-query'
import { ALL_WORKSPACES } from '../../src/db/distribution.ts'
import type { Rule } from './rules.ts'

/** A node of the syntax tree: one key with the type of the node, or the fields of one. */
type Node = { [field: string]: unknown }

export type Schema = {
  /** The distribution column of each distributed table, and of each view over them. */
  distributed: ReadonlyMap<string, string>
  /** Tables of the coordinator. */
  local: ReadonlySet<string>
  /** Functions that are stable or volatile in every form. */
  mutable: ReadonlySet<string>
  volatile: ReadonlySet<string>
}

export type Violation = { rule: Rule; about: string }

/** A table of a query level: its name, or null for a subquery or a CTE, and the alias. */
type Relation = { table: string | null; alias: string }

/** A query level with its tables and the conditions that hold for all its rows. */
type Level = {
  relations: Relation[]
  conditions: Node[]
  outer: Level | null
  node: Node
  type: string
  ctes: Set<string>
}

export function checkStatement(text: string, schema: Schema): Violation[] {
  // A statement of the protocol, such as COPY data or a LISTEN with an identifier, is parsed, too.
  let statements: Node[]
  try {
    statements = (parseSync(text) as unknown as { stmts: { stmt: Node }[] }).stmts.map(({ stmt }) => stmt)
  } catch (error) {
    return [{ rule: 'parsed', about: String(error) }]
  }
  const checker = new Checker(schema, text.includes(ALL_WORKSPACES))
  for (const statement of statements) checker.checkLevels(statement, null, new Set())
  return checker.found
}

class Checker {
  readonly found: Violation[] = []
  readonly #schema: Schema
  readonly #spans: boolean

  constructor(schema: Schema, spans: boolean) {
    this.#schema = schema
    this.#spans = spans
  }

  #report(rule: Rule, about: string): void {
    if (!this.found.some((known) => known.rule === rule && known.about === about)) this.found.push({ rule, about })
  }

  /** Finds the query levels of a tree and checks each. */
  checkLevels(node: unknown, outer: Level | null, ctes: ReadonlySet<string>): void {
    if (Array.isArray(node)) {
      for (const item of node) this.checkLevels(item, outer, ctes)
      return
    }
    if (!isNode(node)) return
    for (const [type, value] of Object.entries(node)) {
      if (isLevel(type) && isNode(value)) this.#checkLevel(type, value, outer, ctes)
      else this.checkLevels(value, outer, ctes)
    }
  }

  #checkLevel(type: string, node: Node, outer: Level | null, outerCtes: ReadonlySet<string>): void {
    const ctes = new Set(outerCtes)
    for (const cte of list((node.withClause as Node)?.ctes)) ctes.add((cte.CommonTableExpr as Node).ctename as string)
    if (type === 'SelectStmt' && node.op !== 'SETOP_NONE') {
      this.checkLevels(node.withClause, outer, ctes)
      for (const side of ['larg', 'rarg']) this.#checkLevel('SelectStmt', node[side] as Node, outer, ctes)
      return
    }
    const level: Level = { relations: [], conditions: [], outer, node, type, ctes }
    if (type !== 'SelectStmt' && type !== 'InsertStmt') this.#addFrom({ RangeVar: node.relation }, level)
    for (const item of [...list(node.fromClause), ...list(node.usingClause)]) this.#addFrom(item, level)
    addConditions(node.whereClause, level.conditions)
    const mentioned = level.relations.flatMap(({ table, alias }) => {
      const column = table === null ? undefined : this.#schema.distributed.get(table)
      return column === undefined ? [] : [{ alias, column, table }]
    })
    const bound = this.#bind(level, mentioned)
    if (this.#spans) this.#checkSpanning(level, mentioned)
    else for (const { alias } of mentioned) if (bound.get(alias) === undefined) this.#report('workspace', alias)
    const locks = list(node.lockingClause).length > 0
    if (locks && mentioned.some(({ alias }) => bound.get(alias) !== 'one'))
      this.#report('locks', mentioned.map(({ alias }) => alias).join(', '))
    if (type !== 'SelectStmt') this.#checkWrite(type, node)
    this.#checkCalls(level)
    this.checkLevels(Object.fromEntries(Object.entries(node).filter(([field]) => field !== 'relation')), level, ctes)
  }

  /** Adds the tables of a FROM item, and the conditions of its joins. */
  #addFrom(item: Node, level: Level): void {
    const { RangeVar: range, JoinExpr: join, RangeSubselect: sub, RangeFunction: call } = item as Record<string, Node>
    const aliasOf = (node: Node) => (node.alias as Node | undefined)?.aliasname as string | undefined
    if (range) {
      const name = range.relname as string
      const isTable = !level.ctes.has(name) && (range.schemaname === undefined || range.schemaname === 'public')
      level.relations.push({ table: isTable ? name : null, alias: aliasOf(range) ?? name })
    }
    if (sub) level.relations.push({ table: null, alias: aliasOf(sub) ?? '' })
    if (call) level.relations.push({ table: null, alias: aliasOf(call) ?? '' })
    if (!join) return
    const before = level.relations.length
    this.#addFrom(join.larg as Node, level)
    const middle = level.relations.length
    this.#addFrom(join.rarg as Node, level)
    addConditions(join.quals, level.conditions)
    for (const name of list(join.usingClause)) {
      const column = (name.String as Node).sval as string
      const sides = [level.relations.slice(before, middle), level.relations.slice(middle)]
      for (const left of sides[0] ?? [])
        for (const right of sides[1] ?? []) level.conditions.push(equality([left.alias, column], [right.alias, column]))
    }
  }

  /** Which tables of the level have one workspace, or several, as a value. */
  #bind(level: Level, mentioned: { alias: string; column: string }[]): Map<string, 'one' | 'several'> {
    const bound = new Map<string, 'one' | 'several'>()
    const key = (column: string) => mentioned.filter((table) => table.column === column)
    const columnOf = (node: unknown): string | null => {
      const fields = fieldsOf(node)
      if (!fields) return null
      const [first, second] = fields
      if (second === undefined) {
        const owners = key(first as string)
        return owners.length === 1 ? (owners[0]?.alias as string) : null
      }
      return mentioned.some(({ alias, column }) => alias === first && column === second) ? (first as string) : null
    }
    const pairs: [string, string][] = []
    // A subquery or a CTE of this level that returns the workspace joins the tables that equal it.
    for (const { A_Expr: expression } of level.conditions as Record<string, Node>[]) {
      if (!expression || operatorOf(expression) !== '=') continue
      const { lexpr, rexpr, kind } = expression
      for (const [column, value] of [
        [lexpr, rexpr],
        [rexpr, lexpr],
      ]) {
        const alias = columnOf(column)
        if (alias === null) continue
        if (kind === 'AEXPR_OP' && isValue(value)) bound.set(alias, 'one')
        else if (kind === 'AEXPR_OP_ANY' && isValue(value) && !bound.has(alias)) bound.set(alias, 'several')
        const other = columnOf(value)
        if (other !== null) pairs.push([alias, other])
      }
    }
    for (let again = true; again; ) {
      again = false
      for (const [one, other] of pairs) {
        const is = bound.get(one)
        if (is === undefined || bound.has(other)) continue
        bound.set(other, is)
        again = true
      }
    }
    return bound
  }

  /** A statement of all workspaces: its tables, also those of outer levels, are joined by the workspace. */
  #checkSpanning(level: Level, mentioned: { alias: string; column: string }[]): void {
    const outer = level.outer?.relations ?? []
    const joined = (alias: string, column: string) =>
      level.conditions.some(({ A_Expr: expression }) => {
        if (!isNode(expression) || operatorOf(expression) !== '=') return false
        const sides = [fieldsOf(expression.lexpr), fieldsOf(expression.rexpr)]
        return sides.some((side) => side?.[0] === alias && side[1] === column) && sides.every((side) => side !== null)
      })
    const isAlone =
      mentioned.length === 1 && outer.every(({ table }) => table === null || !this.#schema.distributed.has(table))
    if (!isAlone) {
      const loose = mentioned.filter(({ alias, column }) => !joined(alias, column))
      for (const { alias } of loose) this.#report('colocated', alias)
    }
    const isLimited = level.node.limitCount !== undefined
    if (isLimited && level.outer && mentioned.length > 0) this.#report('limits', mentioned[0]?.alias as string)
  }

  #checkWrite(type: string, node: Node): void {
    const target = (node.relation as Node).relname as string
    const column = this.#schema.distributed.get(target)
    if (column === undefined) return
    const columns = list(type === 'InsertStmt' ? node.cols : node.targetList).map(
      ({ ResTarget: item }) => (item as Node).name,
    )
    if (type === 'InsertStmt' && !columns.includes(column)) this.#report('insert', target)
    if (type === 'UpdateStmt' && columns.includes(column)) this.#report('moved', target)
    const written =
      type === 'UpdateStmt' ? [node.targetList, node.whereClause] : type === 'DeleteStmt' ? [node.whereClause] : []
    for (const branch of within(written, isConditional))
      for (const { name } of this.#mutableIn(branch)) this.#report('conditional', name)
    for (const { name, hasColumn } of this.#mutableIn(written)) if (hasColumn) this.#report('columns', name)
    for (const call of within([node.whereClause], isCall))
      if (type !== 'InsertStmt' && this.#schema.volatile.has(nameOf(call))) this.#report('volatile', nameOf(call))
    const returning = (node.returningClause as Node | undefined)?.exprs ?? node.returningList
    for (const { name } of this.#mutableIn(returning)) this.#report('returning', name)
    if (type === 'InsertStmt' && within(returning, (key) => key === 'SubLink').length > 0)
      this.#report('returned', target)
    for (const { name } of this.#mutableIn(node.onConflictClause)) this.#report('conflict', name)
  }

  /** Calls of mutable functions, operators and casts. The types of columns are not known: one that ends with `_at` is an instant. */
  #mutableIn(node: unknown): { name: string; hasColumn: boolean }[] {
    const hasColumn = (part: unknown) => within(part, isColumn).length > 0
    const calls = within(node, isCall)
      .filter((call) => this.#schema.mutable.has(nameOf(call)))
      .map((call) => ({ name: nameOf(call), hasColumn: hasColumn(call.args) }))
    const shifts = within(node, (key) => key === 'A_Expr')
      .filter((sum) => ['+', '-'].includes(operatorOf(sum)) && isInterval(sum.rexpr) && !isInterval(sum.lexpr))
      .filter((sum) => hasColumn(sum) || within(sum, isCall).some((call) => this.#schema.mutable.has(nameOf(call))))
      .map((sum) => ({ name: 'timestamp and interval', hasColumn: hasColumn(sum) }))
    const casts = within(node, (key) => key === 'TypeCast')
      .filter(
        ({ arg, typeName }) => /_at$/.test(fieldsOf(arg)?.at(-1) ?? '') && /^(?:date|text)$/.test(typeOf(typeName)),
      )
      .map(() => ({ name: 'cast of a timestamp', hasColumn: true }))
    return [...calls, ...shifts, ...casts]
  }

  #checkCalls(level: Level): void {
    const tables = level.relations.flatMap(({ table }) => (table === null ? [] : [table]))
    const isDistributed = tables.some((table) => this.#schema.distributed.has(table))
    for (const table of tables) if (isDistributed && this.#schema.local.has(table)) this.#report('local', table)
    const outer = level.outer?.relations.some(({ table }) => table !== null && this.#schema.distributed.has(table))
    for (const table of tables) if (outer && this.#schema.local.has(table)) this.#report('local', table)
    const own = ownNodes(level.node)
    for (const call of own.filter(([key]) => isCall(key)).map(([, call]) => call)) {
      if (isDistributed && /^pg_(try_)?advisory/.test(nameOf(call))) this.#report('advisory', nameOf(call))
      for (const argument of list(call.args)) {
        const fields = fieldsOf(argument)
        const isRow =
          fields?.length === 1 &&
          level.relations.some(
            ({ alias, table }) => alias === fields[0] && table !== null && this.#schema.distributed.has(table),
          )
        if (isRow && nameOf(call) !== 'count') this.#report('row', `${nameOf(call)}(${fields[0]})`)
      }
    }
    if (level.type !== 'SelectStmt' || level.relations.length > 0) return
    for (const [, link] of own.filter(([key]) => key === 'SubLink')) {
      const select = (link.subselect as Node).SelectStmt as Node | undefined
      if (link.subLinkType === 'EXISTS_SUBLINK' && select && list(select.targetList).length === 0)
        this.#report('exists', 'exists')
    }
  }
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null
const isLevel = (type: string) => ['SelectStmt', 'UpdateStmt', 'DeleteStmt', 'InsertStmt'].includes(type)
const list = (value: unknown): Node[] => (Array.isArray(value) ? (value as Node[]) : [])
const isCall = (key: string) => key === 'FuncCall' || key === 'SQLValueFunction'
const isConditional = (key: string) => key === 'CaseExpr' || key === 'CoalesceExpr'
const isColumn = (key: string) => key === 'ColumnRef'

function nameOf(call: Node): string {
  if (call.op)
    return String(call.op)
      .replace(/^SVFOP_/, '')
      .toLowerCase()
  const name = list(call.funcname).at(-1)?.String as Node | undefined
  return String(name?.sval)
}

const operatorOf = (expression: Node) => String((list(expression.name).at(-1)?.String as Node | undefined)?.sval)

function fieldsOf(node: unknown): string[] | null {
  const column = (node as Node | undefined)?.ColumnRef as Node | undefined
  return column ? list(column.fields).map((field) => ((field.String as Node | undefined)?.sval as string) ?? '*') : null
}

/** A parameter or a constant, possibly cast. */
function isValue(node: unknown): boolean {
  if (!isNode(node)) return false
  if ('ParamRef' in node || 'A_Const' in node || 'A_ArrayExpr' in node) return true
  return 'TypeCast' in node && isValue((node.TypeCast as Node).arg)
}

const typeOf = (typeName: unknown) => String((list((typeName as Node).names).at(-1)?.String as Node | undefined)?.sval)

function isInterval(node: unknown): boolean {
  if (!isNode(node)) return false
  const { TypeCast: cast, FuncCall: call } = node as Record<string, Node>
  if (call) return nameOf(call) === 'make_interval'
  return cast !== undefined && typeOf(cast.typeName) === 'interval'
}

function equality([table, column]: [string, string], [other, same]: [string, string]): Node {
  const reference = (names: string[]) => ({ ColumnRef: { fields: names.map((sval) => ({ String: { sval } })) } })
  return {
    A_Expr: {
      kind: 'AEXPR_OP',
      name: [{ String: { sval: '=' } }],
      lexpr: reference([table, column]),
      rexpr: reference([other, same]),
    },
  }
}

function addConditions(node: unknown, into: Node[]): void {
  if (!isNode(node)) return
  const { BoolExpr: bool } = node as Record<string, Node>
  if (bool?.boolop === 'AND_EXPR') for (const part of list(bool.args)) addConditions(part, into)
  else into.push(node)
}

/** All nodes of a type, at any depth. */
function within(node: unknown, matches: (key: string) => boolean): Node[] {
  if (Array.isArray(node)) return node.flatMap((item) => within(item, matches))
  if (!isNode(node)) return []
  return Object.entries(node).flatMap(([key, value]) => [
    ...(matches(key) && isNode(value) ? [value] : []),
    ...within(value, matches),
  ])
}

/** The nodes of a query level, without those of its subqueries. */
function ownNodes(node: unknown): [string, Node][] {
  if (Array.isArray(node)) return node.flatMap(ownNodes)
  if (!isNode(node)) return []
  return Object.entries(node).flatMap(([key, value]): [string, Node][] => [
    ...(isNode(value) && !Array.isArray(value) ? [[key, value] as [string, Node]] : []),
    ...(isLevel(key) ? [] : ownNodes(value)),
  ])
}
