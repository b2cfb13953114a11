import { sendCsv } from '../../http/csv.ts'
import { op, type Routes } from '../../http/operation.ts'
import { clampPage, toPage } from '../../http/schema.ts'
import { AuditEntry, AuditFilter, AuditQuery, AuditSettings, SetAuditSettings } from './schema.ts'
import { listEntries, MAX_COUNTED, readStream, setStream, streamEntries } from './store.ts'

const common = { tag: 'Audit log', admin: true, extension: true } as const

const CSV_COLUMNS = [
  ...['seq', 'at', 'actor', 'name', 'member_id', 'key_id', 'session_id', 'action', 'target_type', 'target_id'],
  ...['target_name', 'outcome', 'status', 'error_code', 'changes', 'ip', 'user_agent', 'request_id', 'hash'],
]

export const auditLogRoutes: Routes = (app, { db, config }) => {
  const settings = async (workspaceId: string) => ({
    ...(await readStream(db, workspaceId)),
    retention_days: config.AUDIT_RETENTION_DAYS,
  })

  app.get(
    '/audit',
    op('listAuditEntries', {
      ...common,
      summary: 'List who did what, newest first',
      description: `Changes, exports, reveals, sign-ins and refusals. With a filter, at most the ${MAX_COUNTED} newest matches are counted and listed; the export has all.`,
      query: AuditQuery,
      page: AuditEntry,
    }),
    async (req) => {
      const request = clampPage(req.query)
      const { rows, total } = await listEntries(db, req.member.workspace_id, request)
      return toPage(rows, total, request)
    },
  )

  app.get(
    '/audit/export',
    op('exportAuditEntries', {
      ...common,
      summary: 'Export all matching entries as CSV',
      query: AuditFilter,
      page: AuditEntry,
      csv: 'only',
    }),
    (req, reply) =>
      sendCsv(reply, 'audit', CSV_COLUMNS, toCsv(streamEntries(db, req.member.workspace_id, req.query))) as never,
  )

  app.get(
    '/settings/audit',
    op('getAuditSettings', { ...common, summary: 'Read where audit entries are sent', data: AuditSettings }),
    (req) => settings(req.member.workspace_id),
  )

  app.put(
    '/settings/audit',
    op('setAuditSettings', {
      ...common,
      summary: 'Send audit entries to a webhook destination',
      description:
        'Entries from now on, in their order, each at least once. Another destination continues where the last one ended. With null, the last entry that is sent is that of this change.',
      body: SetAuditSettings,
      data: AuditSettings,
      errors: ['unknown_destination'],
    }),
    async (req) => {
      await setStream(db, req.member.workspace_id, req.body.destination_id)
      return settings(req.member.workspace_id)
    },
  )
}

async function* toCsv(entries: AsyncIterable<AuditEntry>) {
  for await (const { target, changes, ...entry } of entries) {
    const lines = changes.map(({ field, before, after }) => `${field}: ${before ?? '-'} → ${after ?? '-'}`)
    yield {
      ...entry,
      changes: lines.join('; '),
      target_type: target?.type,
      target_id: target?.id,
      target_name: target?.name,
    }
  }
}
