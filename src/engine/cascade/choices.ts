import { LEADING_LEVELS } from '../titles/index.ts'
import { type Clause, splitClauses } from './clauses.ts'
import { emptyTopic, LEADING_ROLE, parseRole, type RequestedRole } from './roles.ts'
import type { Topic } from './types.ts'

/** One choice of a request: the roles of its first tier, the adjacent ones, and the preferred topic within a tier. */
export type Choice = { roles: RequestedRole[]; adjacent: RequestedRole[]; prefer: Topic }

type ParsedClause = Clause & { role: RequestedRole }

/** A relative clause that describes the holder of a title: "the CFO who owns the budget". */
const RELATIVE =
  /\s+(?=(?:who|that|whose|which|responsible|in charge|accountable|running|leading|owning|overseeing|report(?:s|ing) (?:directly )?to)\b)/i
/** A reporting line does not add a requested role. */
const REPORTING = /^(?:who |that )?report/i
const ANY_OTHER = /\b(?:any|all|other|another|every)\b/i

/**
 * Parses one choice of a request. Named roles form its first tier. A description never adds a level to it: with a title
 * it decides who of the department is preferred and who is adjacent; it is a role only where it names a department
 * after "or", or where nothing else names a role.
 */
export function parseChoice(text: string): Choice {
  const clauses = parseClauses(text)
  const described = clauses.filter(({ isDescription }) => isDescription)
  const named = clauses.filter(({ isDescription }) => !isDescription)
  if (named.length === 0)
    return { roles: completeRoles(described.map(({ role }) => role)), adjacent: [], prefer: emptyTopic() }
  const equal = described.filter(({ isAlternative, role }) => isAlternative && hasField(role))
  const rest = described.filter((clause) => !equal.includes(clause) && !REPORTING.test(clause.text))
  const roles = applyDescriptions(completeRoles(narrowToLevel([...named, ...equal])), rest)
  const first = named.filter(({ isPreferred, role }) => isPreferred && role.title !== null).map(({ role }) => role)
  const isSplit = first.length > 0 && first.length < roles.length
  return {
    roles: isSplit ? first : roles,
    adjacent: [
      ...(isSplit ? roles.filter((role) => !first.includes(role)) : []),
      ...rest.filter(addsNeighbour).map(({ role }) => role),
    ],
    prefer: {
      fields: [...new Set(rest.filter(({ role }) => !role.isVague || !roles.some(hasField)).flatMap(topicsOf))],
      words: [],
    },
  }
}

const hasField = ({ fields, isVague }: RequestedRole) => fields.length > 0 && !isVague
const topicsOf = ({ role }: ParsedClause) => [...role.fields, ...role.about.fields]
/** A description adds adjacent roles where it names who is responsible for something, or is an alternative. */
const addsNeighbour = ({ role, isAlternative }: ParsedClause) =>
  hasField(role) ? role.kind !== 'everyone' : isAlternative && role.words.length === 0

/**
 * Completes roles from descriptions: the department of a bare level ("someone who owns procurement, ideally a
 * director"), and the level of a bare department ("HR, someone senior").
 */
function applyDescriptions(roles: readonly RequestedRole[], descriptions: readonly ParsedClause[]): RequestedRole[] {
  const fields = [...new Set(descriptions.flatMap(({ role }) => (hasField(role) ? role.fields : [])))]
  const isSenior = descriptions.some(({ role, isAlternative }) => role.isVague && !isAlternative)
  return roles.map((role) => {
    if (isBareRank(role) && fields.length > 0) return { ...role, fields }
    return role.kind === 'everyone' && hasField(role) && isSenior ? { ...role, ...LEADING_ROLE } : role
  })
}

function parseClauses(text: string): ParsedClause[] {
  const found: ParsedClause[] = []
  for (const clause of splitClauses(text).flatMap(splitRelative)) {
    // "CTO and CISO" are two people, "Sales and Marketing Director" is one.
    const halves = clause.isDescription ? [] : clause.text.split(/\s+(?:and|&)\s+/i).map(parseRole)
    const isBoth = halves.length > 1 && halves.every((half) => half !== null && half.title !== null)
    for (const role of isBoth ? halves : [parseRole(clause.text)]) {
      if (!role) continue
      const before = found.at(-1)
      const isContinued =
        before?.isDescription === true &&
        hasField(before.role) &&
        hasField(role) &&
        role.kind === 'everyone' &&
        !clause.isPreferred
      const isDescription = clause.isDescription || isContinued || role.isVague === true
      found.push({
        ...clause,
        role,
        isDescription,
        isAlternative: isContinued ? before.isAlternative : clause.isAlternative,
      })
    }
  }
  // check-words-ignore: a sample request. "Whoever runs finance or the CFO" are two alternatives, in either order.
  for (const [i, clause] of found.entries()) {
    const next = found[i + 1]
    if (clause.isDescription && next?.isAlternative && !next.isDescription) clause.isAlternative = true
  }
  return found
}

const isLeading = ({ kind, levels }: RequestedRole) =>
  kind === 'leaders' || (kind === 'rank' && levels.some((level) => LEADING_LEVELS.includes(level)))

/**
 * A relative clause about a leader describes them, as it would after a comma, because no title reads "CFO, Treasury".
 */
function splitRelative(clause: Clause): Clause[] {
  if (clause.isDescription) return [clause]
  const [head = '', ...rest] = clause.text.split(RELATIVE)
  const role = rest.length > 0 ? parseRole(head) : null
  if (!role || !hasField(role) || !isLeading(role)) return [clause]
  return [
    { ...clause, text: head },
    { text: rest.join(' '), isDescription: true, isAlternative: false, isPreferred: false },
  ]
}

/** "Finance, C-level", "VP or director level, sales": bare levels and one department form one role per level. */
function narrowToLevel(clauses: readonly ParsedClause[]): RequestedRole[] {
  const all = clauses.map(({ role }) => role)
  const ranks = clauses.filter(({ role }) => isBareRank(role))
  const at = clauses.findIndex(({ role }) => hasField(role))
  const one = clauses[at]
  if (!one || ranks.length === 0 || clauses.length !== ranks.length + 1) return all
  if ((at === 0 ? ranks[0] : one)?.isAlternative || ranks.some(({ text }) => ANY_OTHER.test(text))) return all
  const { role } = one
  if (role.kind !== 'rank' && role.kind !== 'doers')
    return ranks.map(({ role: { levels } }) => ({ ...role, kind: 'rank', levels }))
  // "CFO, at C-level"
  return ranks.every((rank) => rank.role.levels.includes('C-Team')) ? [role] : all
}

const isBareRank = ({ kind, fields, words }: RequestedRole) => kind === 'rank' && fields.length + words.length === 0

const completeRoles = (roles: RequestedRole[]) => roles.map((role, i) => completeRole(role, roles, i))

/**
 * Completes a role from its neighbours: the field in "VP or director of engineering", the rank in "supply chain or
 * procurement leaders". An ambiguous abbreviation takes the meaning of its neighbour.
 */
function completeRole(role: RequestedRole, roles: readonly RequestedRole[], at: number): RequestedRole {
  if (isBareRank(role) && !role.levels.includes('C-Team')) {
    const lender = roles.slice(at + 1).find(hasField) ?? roles.slice(0, at).findLast(hasField)
    return lender ? { ...role, fields: lender.fields } : role
  }
  const other = roles[at + 1] ?? roles[at - 1]
  if (!other || !hasField(other)) return role
  const isRanked = other.kind === 'leaders' || (other.kind === 'rank' && (other.title?.includes(' ') ?? false))
  if (role.kind === 'everyone' && hasField(role) && isRanked) return { ...role, kind: other.kind, levels: other.levels }
  const common = role.fields.filter((id) => other.fields.includes(id))
  return /^[A-Z]{3,4}$/.test(role.title ?? '') && common.length > 0 ? { ...role, fields: common } : role
}
