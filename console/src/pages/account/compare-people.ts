import type { Schemas } from '../../api/client.ts'

type Ranked = Pick<Schemas['Person'], 'ranking' | 'job_level' | 'full_name'>

const LEVELS = ['C-Team', 'VP', 'Director', 'Manager', 'Staff']
const levelOf = ({ job_level }: Ranked) => (job_level ? LEVELS.indexOf(job_level) : LEVELS.length)

/** Sorts by the ranking of the API, then by seniority. */
export function compareByRelevance(a: Ranked, b: Ranked): number {
  const ranked = (a.ranking ?? Number.MAX_SAFE_INTEGER) - (b.ranking ?? Number.MAX_SAFE_INTEGER)
  return ranked || levelOf(a) - levelOf(b) || a.full_name.localeCompare(b.full_name)
}
