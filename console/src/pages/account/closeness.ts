import type { Schemas } from '../../api/client.ts'

type Person = Pick<Schemas['Person'], 'ranking' | 'job_level' | 'full_name'>

const LEVELS = ['C-Team', 'VP', 'Director', 'Manager', 'Staff']
const levelOf = ({ job_level }: Person) => (job_level ? LEVELS.indexOf(job_level) : LEVELS.length)

/** Those closest to the people you sell to first; where nothing says who these are, those who decide. */
export function byCloseness(a: Person, b: Person): number {
  const ranked = (a.ranking ?? Number.MAX_SAFE_INTEGER) - (b.ranking ?? Number.MAX_SAFE_INTEGER)
  return ranked || levelOf(a) - levelOf(b) || a.full_name.localeCompare(b.full_name)
}
