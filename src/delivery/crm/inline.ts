import type { PushRecordType } from '../../db/schema.ts'
import type { Deps } from '../../deps.ts'
import type { CrmProvider } from '../../providers/crm/registry.ts'
import { CrmError } from '../../providers/crm/vendor/types.ts'
import { pushBatch } from './push-batch.ts'
import type { CrmRecord } from './records.ts'
import { openCrm } from './session.ts'
import type { SyncOutcome } from './sync.ts'

type Parts = Pick<Deps, 'db' | 'outbound' | 'secrets' | 'config' | 'crmClients' | 'now'>

/** Somebody waits. */
const TIME_LIMIT_MS = 60_000

type Result = { id: string; provider: CrmProvider; ok: boolean; created: boolean; error: string | null }

/** Pushes a few records while the caller waits, to all CRMs at the same time, within a minute. */
export async function pushToCrmInline(
  parts: Parts,
  workspaceId: string,
  providers: CrmProvider[],
  recordType: PushRecordType,
  records: CrmRecord[],
) {
  const signal = AbortSignal.timeout(TIME_LIMIT_MS)
  const everywhere = await Promise.all(
    providers.map(async (provider) => ({
      provider,
      outcomes: await pushToOne(parts, workspaceId, provider, recordType, records, signal),
    })),
  )
  const results: Result[] = []
  const skipped = new Set<string>()
  for (const { provider, outcomes } of everywhere) {
    for (const [id, outcome] of outcomes) {
      if (outcome.state === 'skipped') skipped.add(id)
      else if (outcome.state === 'pushed')
        results.push({ id, provider, ok: true, created: outcome.created, error: null })
      else results.push({ id, provider, ok: false, created: false, error: outcome.message })
    }
  }
  const pushed = results.filter(({ ok }) => ok).length
  return { pushed, failed: results.length - pushed, skipped: skipped.size, results }
}

async function pushToOne(
  parts: Parts,
  workspaceId: string,
  provider: CrmProvider,
  recordType: PushRecordType,
  records: CrmRecord[],
  signal: AbortSignal,
): Promise<Map<string, SyncOutcome>> {
  if (records.length === 0) return new Map()
  try {
    const target = await openCrm(parts, workspaceId, provider, signal)
    if (!target) throw new CrmError('auth', 'It was disconnected a moment ago.')
    return await pushBatch(parts, workspaceId, target, recordType, records)
  } catch (error) {
    if (!(error instanceof CrmError)) throw error
    const { message, status } = error
    return new Map(records.map(({ id }) => [id, { state: 'failed', status, message, retry: false }]))
  }
}
