/** What Citus refuses, or answers only by asking every shard, in a statement about distributed tables. */
export const RULES = {
  parsed: {
    is: 'The statement can be parsed.',
  },
  workspace: {
    is: 'Every mention of a distributed table has its workspace as a value in the same query level.',
    because: 'A subselect that compares the workspace with a column of an outer level runs on all shards.',
  },
  colocated: {
    is: 'In a statement marked as one of all workspaces, tables are joined by their workspace.',
    because: 'Other joins move rows between servers.',
  },
  locks: {
    is: 'Rows are locked in one workspace.',
    because: 'FOR UPDATE over several shards is refused.',
  },
  limits: {
    is: 'A statement marked as one of all workspaces has no limit in a subquery, and none when it writes.',
    because: 'A limit applies to each shard, or is refused.',
  },
  conditional: {
    is: 'CASE and COALESCE of a write call no mutable function.',
    because: 'Refused: non-IMMUTABLE functions are not allowed in CASE or COALESCE statements.',
  },
  columns: {
    is: 'A write calls no mutable function with a column.',
    because: 'Refused: STABLE functions used in UPDATE queries cannot be called with column references.',
  },
  returning: {
    is: 'RETURNING calls no mutable function.',
    because: 'Refused: non-IMMUTABLE functions are not allowed in the RETURNING clause.',
  },
  returned: {
    is: 'RETURNING of an INSERT has no subselect.',
    because: 'Refused: subqueries are not supported in RETURNING of an INSERT.',
  },
  conflict: {
    is: 'ON CONFLICT calls no mutable function.',
    because: 'Refused: functions used in the DO UPDATE SET clause must be IMMUTABLE.',
  },
  volatile: {
    is: 'WHERE of a write calls no volatile function.',
    because: 'Refused: functions used in the WHERE clause of modification queries must not be VOLATILE.',
  },
  row: {
    is: 'No function takes a whole row of a distributed table.',
    because: 'A shard has another row type than the table.',
  },
  exists: {
    is: 'EXISTS in a query without FROM selects a column.',
    because: 'Refused: a subquery without columns cannot be sent to a shard.',
  },
  local: {
    is: 'A statement about distributed tables mentions no table of the coordinator.',
    because: 'Rows of one side are copied to the servers of the other; correlated subqueries and writes are refused.',
  },
  advisory: {
    is: 'Advisory locks are taken by a statement of their own.',
    because: 'In a statement about a distributed table they are taken on the server of its shard.',
  },
  insert: {
    is: 'An INSERT names the workspace among its columns.',
    because: 'Refused: a distributed table needs the value of its distribution column.',
  },
  moved: {
    is: 'An UPDATE does not set the workspace.',
    because: 'Refused: modifying the partition value of rows is not allowed.',
  },
} as const satisfies Record<string, { is: string; because?: string }>

export type Rule = keyof typeof RULES
