import type { SetupStep } from '../../db/member-tables.ts'
import type { Deps } from '../../deps/deps.ts'
import { isScoped, type Member } from '../../shared/member.ts'
import type { Setup } from './schema.ts'
import { countForSetup, findFirstFinding, readScanProgress } from './store.ts'

const STEPS: readonly SetupStep[] = ['website', 'profile', 'crm', 'companies', 'signals', 'alerts']

/** The setup as far as the member takes part in it. The state follows from what is stored. */
export async function readSetup({ db }: Pick<Deps, 'db'>, member: Member): Promise<Setup> {
  const [counts, scans, finding] = await Promise.all([
    countForSetup(db, member),
    readScanProgress(db, member.workspace_id),
    findFirstFinding(db, member.workspace_id),
  ])
  const { accounts, signals_changed, choices } = counts
  const stateOf = (step: SetupStep) => {
    const choice = choices.steps?.[step]
    // Every workspace has signals, so only a change or the decision to keep them shows that they were looked at.
    const isStored = step === 'signals' ? signals_changed : counts[step] > 0
    if (isStored || choice === 'keep') return 'done'
    return choice === 'later' ? 'skipped' : 'open'
  }
  const all = STEPS.map((id) => ({ id, state: stateOf(id), count: counts[id] }) as const)
  const steps = all.filter(({ id, state }) => state === 'done' || mayTake(member, id))
  return {
    steps,
    next: steps.find(({ state }) => state === 'open')?.id ?? null,
    is_dismissed: choices.is_dismissed ?? false,
    is_fresh:
      mayTake(member, 'website') &&
      accounts === 0 &&
      steps.every(({ state }) => state === 'open') &&
      !choices.is_dismissed,
    scans,
    finding,
  }
}

function mayTake(member: Member, step: SetupStep): boolean {
  if (member.read_only) return false
  if (step === 'website' || step === 'crm') return member.role === 'admin'
  return step !== 'signals' || !isScoped(member)
}
