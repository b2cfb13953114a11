/** A kind of record that operations change, and what an entry says about its fields. */
export type AuditedRecord = {
  type: string
  /** Read before and after the change. Without it, an entry names the record only. */
  table?: string
  /** The column of the id, with the name of the path parameter or of the field of the response; null for one row per workspace. */
  key?: string | null
  /** The column, if it has another name. */
  column?: string
  /** Whether the id is that of the calling member. */
  own?: boolean
  /** Columns whose values are recorded: no secret, no text about a person. */
  shown?: readonly string[]
  /** Columns of which an entry says only that they changed. */
  masked?: readonly string[]
  /** The column with the name of the record. */
  label?: string
}

const SETTINGS = { key: null } as const

/** By the path of the operation: the longest match applies. A new kind of record that can be changed has a line here. */
const RECORDS: Record<string, AuditedRecord> = {
  '/accounts': {
    type: 'account',
    table: 'accounts',
    shown: ['name', 'domain', 'status', 'owner_id', 'industry', 'employees', 'country', 'location'],
    masked: ['tags', 'network_url', 'short_description'],
    label: 'name',
  },
  '/accounts/:id/registrations': { type: 'register_record', key: 'register_id' },
  '/accounts/:id/relations': {
    type: 'company_relation',
    table: 'company_relations',
    key: 'relation_id',
    column: 'id',
    shown: ['kind', 'name', 'domain', 'counts_as_account', 'status'],
    label: 'name',
  },
  '/accounts/:id/signals/:detection_id': {
    type: 'finding',
    table: 'signal_detections',
    key: 'detection_id',
    column: 'id',
    shown: ['verdict'],
    masked: ['verdict_reason', 'draft'],
  },
  '/accounts/import': { type: 'import' },
  '/alert-rules': {
    type: 'alert_rule',
    table: 'alert_rules',
    shown: [
      ...['is_enabled', 'events', 'signals', 'min_score', 'only_mine', 'statuses', 'icp_tiers', 'relationships'],
      ...['recipient', 'to_member_id', 'channel', 'destination_id', 'schedule', 'hour'],
    ],
    masked: ['name', 'tags', 'chat_channel', 'teams_url_masked'],
    label: 'name',
  },
  '/alerts': { type: 'alert' },
  '/api-keys': {
    type: 'api_key',
    table: 'api_keys',
    shown: ['member_id', 'scope', 'operations', 'read_only', 'expires_at', 'revoked_at'],
    masked: ['name', 'allowed_ips'],
    label: 'name',
  },
  '/companies': { type: 'import' },
  '/company-profile': {
    ...SETTINGS,
    type: 'company_profile',
    table: 'company_profiles',
    shown: ['name', 'domain'],
    masked: ['products', 'proofs', 'business_context', 'logo_url'],
  },
  '/connections': { type: 'connection', table: 'connections', key: 'provider', shown: ['account', 'connected_at'] },
  '/crm/mapping': { type: 'crm', table: 'crm_syncs', key: 'provider', shown: ['field_mapping'] },
  '/crm/sync': {
    type: 'crm',
    table: 'crm_syncs',
    key: 'provider',
    shown: ['is_paused', 'account_rules', 'field_sources'],
  },
  '/integrations/email-verification': {
    ...SETTINGS,
    type: 'workspace',
    table: 'workspaces',
    masked: ['email_verify_from'],
  },
  '/knowledge-base': {
    type: 'knowledge_section',
    table: 'knowledge_sections',
    shown: ['type', 'position'],
    masked: ['title', 'content_md'],
  },
  '/me': { type: 'member', table: 'members', own: true, shown: ['time_zone'] },
  '/me/profile': {
    type: 'member_profile',
    table: 'member_profiles',
    own: true,
    column: 'member_id',
    shown: ['tone'],
    masked: [
      ...['name', 'job_title', 'signature', 'calendar_url', 'sample_messages'],
      ...['greeting', 'sign_off', 'body_words'],
    ],
  },
  '/members': {
    type: 'member',
    table: 'members',
    shown: ['role', 'visibility'],
    masked: ['name', 'email'],
    label: 'name',
  },
  '/people': {
    type: 'person',
    table: 'people',
    shown: ['owner_id', 'email_source', 'phone_source'],
    masked: ['email', 'phone'],
  },
  '/people/lists': { type: 'people_list', table: 'people_lists', masked: ['name'] },
  '/playbook': { type: 'play', key: 'signal_id' },
  '/push-runs': { type: 'push_run', table: 'push_runs', shown: ['status', 'channel', 'record_type', 'total'] },
  '/runs': { type: 'run', key: 'run_id' },
  '/service-accounts': { type: 'service_account', table: 'members', masked: ['name'], label: 'name' },
  '/sessions': { type: 'session' },
  '/settings/audit': { ...SETTINGS, type: 'audit_log', table: 'audit_streams', shown: ['destination_id'] },
  '/settings/notifications': {
    ...SETTINGS,
    type: 'notifications',
    table: 'notification_settings',
    shown: ['webhook_enabled', 'chat_enabled', 'notify_realtime', 'notify_suggested', 'notify_job_changes'],
    masked: ['chat_channel', 'webhook_url_sealed', 'webhook_secret_sealed'],
  },
  '/settings/workspace': {
    ...SETTINGS,
    type: 'workspace',
    table: 'workspaces',
    shown: ['scoped_members_claim', 'lost_deal_months'],
  },
  '/setup': { ...SETTINGS, type: 'setup' },
  '/sign-in-links': { type: 'sign_in_link' },
  '/signals': {
    type: 'signal',
    table: 'signals',
    shown: ['name', 'enabled'],
    masked: ['description'],
    label: 'name',
  },
  '/signals/:id/examples': {
    type: 'signal_example',
    table: 'custom_signal_examples',
    key: 'example_id',
    column: 'id',
    shown: ['verdict'],
  },
  '/subscription': {
    ...SETTINGS,
    type: 'plan',
    table: 'subscriptions',
    shown: ['status', 'account_limit', 'period_start', 'period_end'],
  },
  '/webhook-destinations': {
    type: 'webhook_destination',
    table: 'webhook_destinations',
    shown: ['url_masked', 'former_secret_until'],
    masked: ['name', 'secret_sealed'],
    label: 'name',
  },
  '/work-items': {
    type: 'work_item',
    table: 'work_items',
    shown: ['state', 'outcome', 'snoozed_until'],
    masked: ['note'],
  },
}

const PATHS = Object.keys(RECORDS).sort((a, b) => b.length - a.length)

/** The kind of record that the operation at a path changes; null for one that is not listed. */
export function recordAt(path: string): AuditedRecord | null {
  const found = PATHS.find((start) => path === start || path.startsWith(`${start}/`))
  return found === undefined ? null : (RECORDS[found] as AuditedRecord)
}
