import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import pg from 'pg'
import { commands } from './support/commands.ts'
import { cloneDatabase } from './support/databases.ts'
import { beside, dataDir } from './support/process.ts'

const databaseUrl = await cloneDatabase()
const { cli, json } = commands(beside({ databaseUrl }))

async function query(text: string, values: string[]) {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  const { rows } = await client.query(text, values)
  await client.end()
  return rows
}

test('--help lists every command, and each command has help', async () => {
  const { code, output } = await cli('--help')
  assert.equal(code, 0)
  for (const command of ['serve', 'migrate', 'workspaces', 'members', 'keys', 'sign-in', 'import', 'engine'])
    assert.match(output, new RegExp(`^  ${command}\\b`, 'm'))
  assert.match((await cli('serve', '--help')).output, /--only <part>.*api.*worker/s)
  assert.match((await cli('keys', 'create', '--help')).output, /--scope/)
})

test('an unknown command or option is an error with a hint', async () => {
  for (const args of [['dance'], ['serve', '--only', 'half'], ['members', 'add', 'NoEmail']]) {
    const { code, output } = await cli(...args)
    assert.equal(code, 2)
    assert.match(output, /error: /)
  }
})

test('a part of the service, and migrate --no-embedded, do not start a database or generate a key of their own', async () => {
  const { SECRETS_KEY: _, ...withoutKey } = beside({ databaseUrl: await cloneDatabase() })
  const DATA_DIR = dataDir()
  const alone = commands({ DATA_DIR })
  for (const [{ code, output }, missing] of [
    [await alone.cli('serve', '--only', 'api'), 'DATABASE_URL and SECRETS_KEY'],
    [await alone.cli('serve', '--only', 'worker'), 'DATABASE_URL and SECRETS_KEY'],
    [await commands(withoutKey).cli('serve', '--only', 'worker'), 'SECRETS_KEY'],
    [await alone.cli('migrate', '--no-embedded'), 'DATABASE_URL'],
    [await alone.cli('migrate', '--check', '--no-embedded'), 'DATABASE_URL'],
  ] as const) {
    assert.equal(code, 1)
    assert.ok(output.startsWith(`Set ${missing}: with --`), output)
  }
  assert.ok(!existsSync(DATA_DIR) && !existsSync(withoutKey.DATA_DIR))
})

test('a database migrated by a later version is not changed', async () => {
  const databaseUrl = await cloneDatabase()
  const client = new pg.Client(databaseUrl)
  await client.connect()
  await client.query("insert into kysely_migration (name, timestamp) values ('9999-of-tomorrow', '')")
  await client.end()
  const { code, output } = await commands(beside({ databaseUrl })).cli('migrate')
  assert.equal(code, 1)
  assert.equal(
    output.trim(),
    'A later version has changed this database (9999-of-tomorrow). Start that version, or restore a backup made before it.',
  )
})

test('members are added, changed, listed and removed', async () => {
  const added = await json('members', 'add', 'Kim', 'kim@team.example', '--visibility', 'scoped')
  assert.deepEqual([added.role, added.visibility], ['member', 'scoped'])
  const changed = await json('members', 'update', added.id, '--role', 'admin')
  assert.deepEqual([changed.name, changed.role], ['Kim', 'admin'])
  assert.ok((await json('members', 'list')).some((member: { id: string }) => member.id === added.id))
  assert.match((await cli('members', 'list')).output, /^id +name +email/)
  await json('members', 'update', added.id, '--name', 'Kim\u001b]0;owned\u0007\u009b2J\nid')
  for (const args of [
    ['members', 'list'],
    ['members', 'list', '--json'],
    ['sign-in', '--member', added.id],
  ])
    assert.doesNotMatch((await cli(...args)).output, /(?!\n)\p{Cc}|^id$/mu, args.join(' '))
  assert.deepEqual(await json('members', 'remove', added.id), { id: added.id, deleted: true })
  const gone = await cli('members', 'remove', added.id)
  assert.deepEqual([gone.code, gone.output], [1, 'No such member in this workspace.\n'])
})

test('commands that change something are in the audit log, which is verified and forgets a removed member', async () => {
  const { id } = await json('members', 'add', 'Lou Vance', 'lou@team.example')
  await json('members', 'update', id, '--role', 'admin')
  await cli('members', 'update', crypto.randomUUID(), '--role', 'admin')
  assert.match((await cli('audit', 'forget', id)).output, /Remove the member first/)
  const [actor] = await query(
    `insert into members (workspace_id, id, kind, name, role, visibility)
    select workspace_id, gen_random_uuid(), 'service', 'Bot', 'admin', 'all' from members where id = $1 returning id`,
    [id],
  )
  assert.match((await cli('audit', 'forget', actor.id)).output, /Remove the member first/)
  await json('members', 'remove', id)
  assert.deepEqual(await json('audit', 'forget', id), { entries: 3 })
  assert.equal((await cli('export', 'feedback')).code, 0)
  assert.equal((await cli('secrets', 'cancel')).code, 1)
  const made = await query(
    "select action, target_id = $1 as is_target, outcome from audit_entries where actor = 'command_line' order by seq desc limit 3",
    [id],
  )
  assert.deepEqual(made, [
    { action: 'cancelSecretsRotation', is_target: null, outcome: 'failed' },
    { action: 'exportFeedback', is_target: null, outcome: 'ok' },
    { action: 'forgetMember', is_target: true, outcome: 'ok' },
  ])
  const [{ result, last, entries, erased }] = await json('audit', 'verify')
  assert.deepEqual([result, erased], ['intact', 3])
  assert.ok(entries >= 5)
  assert.equal((await cli('audit', 'verify', '--expect', last)).code, 0)
  const other = await cli(
    'audit',
    'verify',
    '--expect',
    last.replace(/.$/, (end: string) => (end === '0' ? '1' : '0')),
  )
  assert.equal(other.code, 1)
  assert.match(other.output, /is not the expected one/)
})

test('keys are created once readable, listed by prefix and revoked', async () => {
  const created = await json('keys', 'create', 'nightly', '--scope', 'read', '--expires', '2099-01-01')
  assert.match(created.key, /^bw_/)
  assert.equal(created.read_only, true)
  const listed = await cli('keys', 'list', '--json')
  assert.ok(listed.output.includes(created.prefix) && !listed.output.includes(created.key))
  assert.deepEqual(await json('keys', 'revoke', created.id), { id: created.id, deleted: true })
  assert.equal((await cli('keys', 'revoke', created.id)).code, 1)
  const past = await cli('keys', 'create', 'old', '--expires', '2001-01-01')
  assert.deepEqual([past.code, past.output], [1, 'expires_at must be in the future.\n'])
})

test('sign-in prints a link for the first admin, or for the given member', async () => {
  const { code, output } = await cli('sign-in')
  assert.equal(code, 0)
  assert.match(output, /http:\/\/127\.0\.0\.1:3000\/sign-in#token=bwl_[\w-]{43}\n/)
  assert.match(output, /signs in Admin \(/)
  const { id } = await json('members', 'add', 'Lou', 'lou@team.example')
  for (const member of [id, 'LOU@team.example']) {
    assert.match((await cli('sign-in', '--member', member)).output, /signs in Lou \(lou@team\.example\) once/)
  }
  assert.match((await json('sign-in')).url, /#token=/)
  const unknown = await cli('sign-in', '--member', 'nobody@team.example')
  assert.deepEqual([unknown.code, unknown.output], [1, 'No such member in this workspace.\n'])
})

test('a command rejects what the API would reject', async () => {
  for (const [args, field] of [
    [['members', 'add', '', 'x@x.example'], 'name'],
    [['members', 'add', 'X', 'nobody'], 'email'],
    [['keys', 'create', ''], 'name'],
    [['workspaces', 'create', 'W', '--admin-name', 'A', '--admin-email', 'nobody'], 'email'],
  ] as const) {
    const { code, output } = await cli(...args)
    assert.equal(code, 1)
    assert.match(output, new RegExp(`^${field} must .*\\.\\n$`))
  }
})

test('the domain of the own company is normalized, and an invalid one is rejected', async () => {
  assert.equal((await json('workspaces', 'set-domain', 'https://www.Harrow.example/about')).domain, 'harrow.example')
  assert.equal((await json('workspaces', 'list'))[0].domain, 'harrow.example')
  const { code, output } = await cli('workspaces', 'set-domain', 'not a domain')
  assert.deepEqual([code, output], [1, 'not a domain is not a domain such as northwind.com.\n'])
})

test('with several workspaces a command requires --workspace', async () => {
  const created = await json(
    'workspaces',
    'create',
    'Second',
    '--admin-name',
    'Ada',
    '--admin-email',
    'ada@second.example',
  )
  const { code, output } = await cli('members', 'list')
  assert.equal(code, 1)
  assert.match(output, /choose one with --workspace/)
  const members = await json('members', 'list', '--workspace', created.workspace_id)
  assert.deepEqual(
    members.map(({ email }: { email: string }) => email),
    ['ada@second.example'],
  )
  assert.equal((await json('workspaces', 'list')).length, 2)
})
