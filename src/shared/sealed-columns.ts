/** The encrypted values, named by table and column without `_sealed`, and the primary keys of their rows. */
const SEALED_VALUES = {
  'alert_rules.teams_url': ['workspace_id', 'id'],
  'connections.credential': ['workspace_id', 'provider'],
  'idempotency_keys.answer': ['workspace_id', 'member_id', 'key'],
  'notification_settings.webhook_secret': ['workspace_id'],
  'notification_settings.webhook_url': ['workspace_id'],
  'oauth_states.grant': ['workspace_id', 'state_hash'],
  'oauth_states.verifier': ['workspace_id', 'state_hash'],
  'sessions.tokens': ['workspace_id', 'id'],
  'sign_in_attempts.secrets': ['state_hash'],
  'webhook_destinations.secret': ['workspace_id', 'id'],
  'webhook_destinations.url': ['workspace_id', 'id'],
} as const

export type SealedValue = keyof typeof SEALED_VALUES

type KeyOf<Columns extends readonly string[]> = { [At in keyof Columns]: string | Buffer }

/** The values of the primary key of a row. */
export type RowKey<V extends SealedValue> = KeyOf<(typeof SEALED_VALUES)[V]>

/** Names the column and the row of a value, and is authenticated with it. */
export const purposeOf = (value: SealedValue, key: readonly (string | Buffer)[]): string =>
  [value, ...key.map((part) => (typeof part === 'string' ? part : part.toString('hex')))].join(' ')

/** A column of encrypted values, for the rotation of the key. */
export type SealedColumn = { value: SealedValue; table: string; column: string; key: readonly string[] }

const columnOf = (value: SealedValue, name: string = value): SealedColumn => {
  const [table = '', column] = name.split('.')
  return { value, table, column: `${column}_sealed`, key: SEALED_VALUES[value] }
}

/** Every column with encrypted values; a test compares it with the database. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  ...(Object.keys(SEALED_VALUES) as SealedValue[]).map((value) => columnOf(value)),
  // The former secret is the encrypted value of the other column.
  columnOf('webhook_destinations.secret', 'webhook_destinations.former_secret'),
]
