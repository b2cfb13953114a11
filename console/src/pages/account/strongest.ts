import type { Schemas } from '../../api/client.ts'
import { FIT } from '../../components/score.ts'
import type { Finding } from './use-account.ts'

type Part = Schemas['AccountScore']['components'][number]

/** The finding that counts most for the score now; of several that are as strong, and before anything is scored, the newest. */
export function strongestOf(findings: readonly Finding[], parts: readonly Part[]): Finding | undefined {
  const [most] = parts.filter(({ name }) => name !== FIT).toSorted((a, b) => b.points - a.points)
  const ofSignal = findings.filter(({ signal_id }) => signal_id === most?.name)
  return ofSignal.find(({ alpha }) => most?.because.startsWith(`strength ${alpha} of`)) ?? ofSignal[0] ?? findings[0]
}
