import { evaluateCriteria, type IcpCompany, type IcpVerdict, judgeIcpFit } from './fit.ts'
import { type Icp, parseIcp } from './read.ts'

export type { IcpCompany, IcpVerdict } from './fit.ts'

type Section = { type: string; content_md: string }
export type IcpFit = {
  /** 0 to 100; an unknown criterion counts half. */
  score: number
  verdict: IcpVerdict
  components: { name: string; points: number; max: number; why: string }[]
}

/** The verdict and its reasons in one line; failed criteria come first. */
export function explainIcpFit({ verdict, components }: Pick<IcpFit, 'verdict' | 'components'>): string {
  const list = (some: IcpFit['components']) => some.map(({ why }) => why).join('; ')
  if (verdict !== 'does not fit') return `${verdict}: ${list(components)}`
  const [against, others] = [
    components.filter(({ points }) => points === 0),
    components.filter(({ points }) => points > 0),
  ]
  return `${verdict}: ${list(against)}${others.length > 0 ? `. Otherwise: ${list(others)}` : ''}`
}

const parsed = new WeakMap<readonly Section[], Icp>()

/** How well a company fits the ICP sections of the knowledge base, with the reasons. */
export function scoreIcpFit(sections: readonly Section[], firm: IcpCompany): IcpFit {
  const icp = parsed.get(sections) ?? parseIcp(icpText(sections))
  parsed.set(sections, icp)
  const criteria = evaluateCriteria(icp, firm)
  if (criteria.length === 0) {
    const why = 'the knowledge base names no size, industry or place to compare'
    return { score: 50, verdict: 'unknown', components: [{ name: 'icp', points: 50, max: 100, why }] }
  }
  const weight = criteria.reduce((sum, part) => sum + part.weight, 0)
  const components = criteria.map(({ name, weight: own, share, why }) => ({
    name,
    points: Math.round(((share ?? 0.5) * own * 1000) / weight) / 10,
    max: Math.round((own * 1000) / weight) / 10,
    why,
  }))
  const score = components.reduce((sum, { points }) => sum + points, 0)
  return { score: Math.min(100, Math.round(score)), verdict: judgeIcpFit(criteria), components }
}

function icpText(sections: readonly Section[]): string {
  return sections
    .filter(({ type }) => type === 'icp')
    .map(({ content_md }) => content_md)
    .join('\n')
}
