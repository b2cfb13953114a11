import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadModule } from 'libpg-query'
import { checkStatement } from './distribution/check-statement.ts'
import { RULES, type Rule } from './distribution/rules.ts'

await loadModule()

const schema = {
  distributed: new Map([
    ['workspaces', 'id'],
    ['accounts', 'workspace_id'],
    ['people', 'workspace_id'],
  ]),
  local: new Set(['installation']),
  mutable: new Set(['now', 'jsonb_build_object', 'random']),
  volatile: new Set(['random']),
}

const BROKEN: Record<Rule, string[]> = {
  parsed: ['select from where'],
  workspace: [
    'select * from accounts',
    'select * from accounts where workspace_id in (select $1::uuid)',
    'select * from accounts as a where a.workspace_id = $1 and exists (select from people where people.workspace_id = a.workspace_id)',
    'select * from accounts as a join people on people.id = a.id where a.workspace_id = $1',
    'select * from accounts where workspace_id = $1 or name = $2',
    'with given as (select $1::uuid as workspace_id) select * from given join accounts on accounts.workspace_id = given.workspace_id',
    'update accounts set name = $1',
    'select * from accounts where workspace_id = $1 union all select * from accounts',
  ],
  colocated: ['select /* all workspaces */ * from accounts join people on people.id = accounts.id'],
  locks: [
    'select /* all workspaces */ id from accounts for update',
    'select id from accounts where workspace_id = any($1::uuid[]) for update',
  ],
  limits: [
    'select /* all workspaces */ * from accounts where id in (select id from people where people.workspace_id = accounts.workspace_id limit 1)',
  ],
  conditional: ['update accounts set seen_at = coalesce(seen_at, now()) where workspace_id = $1'],
  columns: [
    `update accounts set facts = jsonb_build_object('name', name) where workspace_id = $1`,
    `update accounts set due_at = due_at + interval '1 day' where workspace_id = $1`,
    'update accounts set day = created_at::date where workspace_id = $1',
  ],
  returning: ['update accounts set name = $2 where workspace_id = $1 returning seen_at < now()'],
  returned: [
    'insert into accounts (workspace_id, id) values ($1, $2) returning (select count(*) from people where workspace_id = $1)',
  ],
  conflict: [
    'insert into accounts (workspace_id, id) values ($1, $2) on conflict (workspace_id, id) do update set seen_at = now()',
  ],
  volatile: ['delete from accounts where workspace_id = $1 and random() < 0.5'],
  row: ['select to_jsonb(accounts) from accounts where workspace_id = $1'],
  exists: ['select exists (select from accounts where workspace_id = $1)'],
  local: [
    'select * from accounts, installation where accounts.workspace_id = $1',
    'select * from accounts where workspace_id = $1 and exists (select from installation)',
  ],
  advisory: ['select pg_advisory_xact_lock(1) from accounts where workspace_id = $1'],
  insert: ['insert into accounts (id) values ($1)'],
  moved: ['update accounts set workspace_id = $1 where workspace_id = $2'],
}

const KEPT = [
  'select 1',
  'select * from installation',
  'select * from accounts where workspace_id = $1',
  'select * from workspaces where id = $1::uuid for update',
  'select * from accounts as a join people using (workspace_id) where a.workspace_id = $1',
  'select * from people left join accounts on accounts.workspace_id = people.workspace_id and accounts.id = people.account_id where people.workspace_id = $1',
  'select * from accounts as a where a.workspace_id = $1 and exists (select from people where people.workspace_id = $1 and account_id = a.id)',
  'select exists (select 1 from accounts where workspace_id = $1)',
  'with found as (select id from accounts where workspace_id = $1 for update skip locked) delete from people using found where workspace_id = $1 and people.id = found.id',
  'insert into accounts (workspace_id, id, created_at) values ($1, $2, now()) on conflict (workspace_id, id) do update set seen_at = excluded.created_at',
  'update accounts set seen_at = clock.at from (select now() as at) as clock where accounts.workspace_id = $1',
  'update accounts set name = coalesce($2, name), seen_at = now() where workspace_id = $1 returning id, seen_at - created_at',
  'select /* all workspaces */ workspace_id from accounts where due_at < now() order by due_at limit 10',
  'select /* all workspaces */ * from accounts where exists (select from people where people.workspace_id = accounts.workspace_id)',
  'delete /* all workspaces */ from accounts where created_at < now() - make_interval(days => $1)',
]

test('a statement that breaks a rule is found', () => {
  assert.deepEqual(Object.keys(BROKEN).toSorted(), Object.keys(RULES).toSorted())
  for (const [rule, statements] of Object.entries(BROKEN))
    for (const statement of statements) {
      const found = checkStatement(statement, schema).map(({ rule }) => rule)
      assert.ok(found.includes(rule as Rule), `${rule}: ${statement} is not found, but ${found}`)
    }
})

test('a statement that names its workspace at each level breaks no rule', () => {
  for (const statement of KEPT) assert.deepEqual(checkStatement(statement, schema), [], statement)
})
