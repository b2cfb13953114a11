import type { Deps } from '../deps/deps.ts'
import { defineJob } from '../jobs/define.ts'
import { deadlineAfter } from '../jobs/leased-work.ts'
import { WebhookSigner } from '../outbound/signing.ts'
import type { AuditEntry } from '../resources/audit-log/schema.ts'
import {
  advanceStream,
  endStream,
  findDueStreams,
  leaseStream,
  listEntriesAfter,
  postponeStream,
} from '../resources/audit-log/store.ts'
import { insertDeliveries } from '../resources/webhook-destinations/delivery-store.ts'
import { findWebhookTarget } from '../resources/webhook-destinations/store.ts'
import { postSigned } from './channel/post.ts'
import { toLogEntry } from './webhook/channel.ts'
import { stateAfter } from './worker.ts'

/** Entries in one delivery. */
const BATCH = 100
/** Longer than an attempt takes. */
const LEASE_SECONDS = 60
/** For a destination that cannot be used, until it is changed. */
const WAIT_SECONDS = 600
const DEADLINE_MS = 50_000

/**
 * Sends audit entries to the destinations that workspaces chose: in their order, each at least once. Entries wait until the
 * ones before them were received, so that a receiver notices a gap.
 */
export const streamAudit = defineJob<object>({
  name: 'stream-audit',
  schedule: '* * * * *',
  concurrency: 1,
  async run(deps, _payload, { signal }) {
    const deadline = deadlineAfter(DEADLINE_MS, signal)
    for (const stream of await findDueStreams(deps.db)) {
      try {
        for (let at: Stream | null = stream; at && !deadline.aborted; ) at = await sendNext(deps, at)
      } catch (error) {
        // The streams of other workspaces continue.
        deps.log.error({ err: error, workspace_id: stream.workspace_id }, 'audit entries could not be sent')
        await postponeStream(
          deps.db,
          stream,
          'The entries could not be sent. The log of the service has the reason.',
          WAIT_SECONDS,
        )
      }
    }
  },
})

type Stream = Awaited<ReturnType<typeof findDueStreams>>[number]

/** Sends the next entries. Returns where the stream is then; null when it has to wait or has ended. */
async function sendNext({ db, outbound, secrets, config, log }: Deps, stream: Stream): Promise<Stream | null> {
  const { workspace_id, sends_to: destination_id, seq } = stream
  const found = await listEntriesAfter(db, workspace_id, seq, BATCH)
  const [first] = found
  const leased = first && (await leaseStream(db, stream, LEASE_SECONDS))
  if (!leased) return null
  // Read with the lease: the stream may have been turned off since the last delivery.
  const { ends_after, failures } = leased
  const end = found.findIndex((entry) => isLast(ends_after, entry))
  const entries = end < 0 ? found : found.slice(0, end + 1)
  const last = entries.at(-1) ?? first
  const target = await findWebhookTarget(db, workspace_id, destination_id, secrets)
  if (!target) return null
  const webhook_id = `msg_audit_${workspace_id.replaceAll('-', '')}_${first.seq}_${last.seq}`
  const body = JSON.stringify({ type: 'audit.recorded', timestamp: last.at, data: { entries } })
  const posted = await postSigned(
    outbound,
    { url: target.url, signer: new WebhookSigner(target.secrets) },
    webhook_id,
    body,
  )
  await insertDeliveries(db, workspace_id, { destination_id, run_id: null }, [
    { ...toLogEntry(posted), record_id: null, webhook_id, attempt: failures + 1 },
  ])
  const pauses = config.PUSH_RETRY_SECONDS
  if (posted.result === 'sent') {
    if (!(await advanceStream(db, stream, last.seq))) return null
    if (end < 0) return { ...stream, seq: last.seq }
    await endStream(db, stream)
    return null
  }
  if (ends_after !== null && failures >= pauses.length) {
    log.warn({ workspace_id, waiting_from: first.seq }, 'the last audit entries of a stream were not received')
    await endStream(db, stream)
    return null
  }
  // Entries are not skipped, so the last pause is repeated.
  const { retry_in } = stateAfter({ ...posted, result: 'retry' }, Math.min(failures, pauses.length - 1), pauses)
  await postponeStream(db, stream, posted.message ?? 'It was not received.', retry_in)
  return null
}

/** Whether a stream that was turned off ends with this entry: the one of the change that turned it off. */
const isLast = (ends_after: number | null, { seq, action }: AuditEntry) =>
  ends_after !== null && seq > ends_after && action === 'setAuditSettings'
