import assert from 'node:assert/strict'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { detect } from './support/alerts.ts'
import { addCompanies, siteOf } from './support/companies.ts'
import { crmRecords } from './support/crm-records.ts'
import { COMPANIES, startDiscoveryWorld } from './support/discovery-world.ts'
import { idle } from './support/eventually.ts'
import { scene } from './support/scene.ts'
import { testService } from './support/service.ts'
import { bellwether, configHome } from './support/terminal.ts'

const ESC = '\u001b'
const { internet, sites, alerts } = await startDiscoveryWorld()
after(() => internet[Symbol.asyncDispose]())
sites.set('alder.example', siteOf({ name: 'Alder', events: { funding: 5 } }))
sites.set('stalls.example', () => 'stall' as const)
sites.set('refuses.example', () => ({ status: 400 }))
const service = await testService({
  worker: true,
  env: { ...internet.env, CRAWL_DELAY_MS: '0', SOURCES: 'website', DISCOVERY_MAX_CANDIDATES: '50' },
})
const world = await scene(service, {
  accounts: [
    { name: 'Alder', domain: 'alder.example', tags: ['rail'] },
    { name: '東京エレクトロン', domain: 'tel.example' },
    { name: 'Evil \u001b[2JCorp', domain: 'evil.example' },
    { name: 'Twin' },
    { name: 'Twin' },
  ],
  people: [
    { full_name: 'Ada Pike', title: 'VP Sales' },
    { full_name: 'Ben Moss', title: 'Chief Technology Officer' },
  ],
})
const { client, workspaceId, key } = { ...world, key: world.client.key as string }
const account = (domain: string) => world.id(domain)
const person = (name: string) => world.people.find(({ full_name }) => full_name === name)?.id as string

const env = { BELLWETHER_URL: service.address, BELLWETHER_KEY: key, XDG_CONFIG_HOME: configHome() }
const run = (args: string[], options: Parameters<typeof bellwether>[1] = {}) =>
  bellwether(args, { ...options, env: { ...env, ...options.env } })

/** The output of a command that must succeed. */
async function ok(args: string[], options?: Parameters<typeof bellwether>[1]): Promise<string> {
  const { code, stdout, stderr } = await run(args, options)
  assert.equal(code, 0, `${args.join(' ')}: ${stderr}`)
  return stdout
}
const json = async (...args: string[]) => JSON.parse(await ok([...args, '--json']))

test('accounts are listed as a table, as ids, as JSON, filtered and counted', async () => {
  const table = await ok(['accounts', 'list', '--sort', 'created_at', '--order', 'asc'])
  assert.match(
    table,
    /^NAME +DOMAIN +SCORE +STATUS +LAST SIGNAL +INDUSTRY +TAGS\n.*Alder +alder\.example +\d+ +suggested +- +- +rail\n/s,
  )
  // A wide character takes two columns.
  const at = (name: string) =>
    table
      .split('\n')
      .find((line) => line.includes(name))
      ?.indexOf(name) as number
  assert.equal(at('tel.example') + 8, at('alder.example'))
  assert.ok(!table.includes(ESC) && !table.includes('\t'))
  assert.deepEqual((await ok(['accounts', 'list', '--tag', 'rail', '--ids'])).trim(), account('alder.example'))
  assert.equal((await json('accounts', 'list', '--all')).length, 5)
  await (await crmRecords(service.deps.db, world.workspaceId)).relate(account('alder.example'), 'customer')
  const customers = await ok(['accounts', 'list', '--relationship', 'customer,lost_deal', '--ids'])
  assert.deepEqual(customers.trim(), account('alder.example'))
  const two = await run(['accounts', 'list', '--limit', '2', '--json'])
  assert.equal(JSON.parse(two.stdout).length, 2)
  assert.match(two.stderr, /^2 of 5 accounts; use --all to show all\.\n$/)
  assert.equal((await run(['accounts', 'list', '--limit', '2', '-q'])).stderr, '')
  const none = await run(['accounts', 'list', '--tag', 'nope'])
  assert.deepEqual(none, { code: 0, stdout: '', stderr: 'No accounts.\n' })
  assert.match(await ok(['accounts', 'export', '--tag', 'rail']), /^.*domain.*\r?\n.*alder\.example.*\r?\n$/)
})

test('on a terminal a list fits its width and is coloured; text from a page cannot contain control characters', async () => {
  const shown = await ok(['accounts', 'list'], { columns: 60 })
  assert.ok(shown.startsWith(`${ESC}[2mNAME${ESC}[0m`))
  const plain = stripVTControlCharacters(shown)
  assert.match(plain, /^NAME +DOMAIN +SCORE +STATUS\n/)
  assert.match(plain, /Evil �\[2JCorp/)
  for (const text of [
    plain,
    await ok(['accounts', 'list'], { columns: 60, env: { NO_COLOR: '1' } }),
    await ok(['accounts', 'export'], { columns: 60 }),
  ])
    assert.ok(!text.includes(ESC))
})

test('an account is shown with its score and findings with their proof, by id, domain or exact name', async () => {
  const id = account('alder.example')
  await detect(service.deps, workspaceId, { account_id: id, run_id: null }, [
    { headline: 'Alder raised \u001b]0;x\u0007' },
  ])
  for (const given of [id, 'alder.example', 'https://www.Alder.example/about', 'alder']) {
    const shown = await ok(['accounts', 'show', given])
    assert.match(shown, /^Alder\nid +\S+\ndomain +alder\.example\n/)
    assert.match(
      shown,
      /funding {2}2026-11-02(?:, \w.*)?\n {2}Alder raised �\]0;x�\n.*\n? {2}https:\/\/n0\.com\/news\?a=1&b=2 {2}2026-11-01/,
    )
  }
  const read = await json('accounts', 'show', 'alder.example')
  assert.equal(read.findings[0].headline, 'Alder raised \u001b]0;x\u0007')
  assert.ok(Array.isArray(read.score_components))
  const twins = await run(['accounts', 'show', 'Twin'])
  assert.equal(twins.code, 2)
  assert.match(twins.stderr, /^2 accounts are called Twin\. Use the id instead:\n {2}\S{36}\n {2}\S{36}\n$/)
  const unknown = await run(['accounts', 'show', 'Ald'])
  assert.deepEqual([unknown.code, unknown.stderr], [3, 'No account is called Ald. Similar: Alder.\n'])
})

test('accounts are added from arguments and stdin, tagged, assigned and activated; existing ones stay unchanged', async () => {
  const added = await ok(['accounts', 'add', '-', '--tag', 'new', '--owner', 'me', '--activate'], {
    stdin: 'https://one.example/\n\ntwo.example\n',
  })
  assert.match(added, /\none\.example +One +active +yes +\S{36}\ntwo\.example/)
  const again = await json('accounts', 'add', 'one.example', '--name', 'Other')
  assert.deepEqual([again[0].created, again[0].name], [false, 'One'])
  assert.equal(
    await ok(['accounts', 'tag', 'one.example', 'two.example', '--add', 'q4', '--remove', 'new']),
    '2 accounts changed.\n',
  )
  assert.deepEqual((await json('accounts', 'show', 'one.example')).tags, ['q4'])
  assert.equal(await ok(['accounts', 'owner', 'one.example', '--to', 'none']), '1 account assigned.\n')
  assert.equal((await json('accounts', 'list', '--owner', 'me')).length, 1)
  assert.equal(await ok(['accounts', 'activate', 'two.example']), '1 account activated.\n')
  assert.equal(await ok(['accounts', 'reject', 'tel.example']), '1 account rejected.\n')
  const active = await run(['accounts', 'reject', 'one.example'])
  assert.deepEqual([active.code, active.stdout], [1, '0 accounts rejected.\n'])
  const bad = await run(['accounts', 'add', 'not a domain'])
  assert.deepEqual([bad.code, bad.stderr], [2, 'not a domain is not a domain such as acme.com.\n'])
  const parts = await run(['accounts', 'activate', 'one.example', crypto.randomUUID()])
  assert.deepEqual([parts.code, parts.stdout], [6, '1 account activated.\n'])
  assert.match(parts.stderr, /: No such account in this workspace\.\n$/)
  assert.equal((await run(['accounts', 'activate', crypto.randomUUID()])).code, 3)
})

test('a scan is waited for with progress, and its findings are shown', async () => {
  await ok(['accounts', 'activate', 'alder.example'])
  await idle(service)
  const { code, stdout, stderr } = await run(['accounts', 'scan', 'alder.example', '--wait'], { columns: 100 })
  assert.equal(code, 0, stderr)
  assert.match(stderr, /\[[#· ]{24}\].*of \d+ signals checked/)
  assert.ok(stderr.endsWith('\r\u001b[K'), 'the bar is removed')
  assert.match(stdout, /^\d+ of \d+ signals found in \d+ documents/)
  assert.match(stdout, /funding.*\n.*Alder.*raise/s)
  assert.match(stdout, /https:\/\/alder\.example\/news\/funding/)
  const started = await run(['accounts', 'scan', 'alder.example'])
  assert.match(started.stdout, /^\S{36}\n$/)
  const waited = await run(['runs', 'wait', started.stdout.trim()])
  assert.equal(waited.code, 0)
  // Without a terminal there is no bar.
  assert.ok(!waited.stderr.includes('\r') && !waited.stderr.includes(ESC))
  assert.equal((await json('runs', 'show', started.stdout.trim())).status, 'done')
  assert.equal((await json('runs', 'list', '--account', 'alder.example'))[0].id, started.stdout.trim())
})

test('Ctrl-C ends the wait, not the work, and prints how to resume', async () => {
  const hanging = await world.add({ name: 'Stalls', domain: 'stalls.example' })
  await client.expect(200, 'POST', `/v1/accounts/${hanging.id}/activate`)
  const { code, stderr } = await run(['accounts', 'scan', 'stalls.example', '--wait'], {
    interruptAt: /signals checked/,
  })
  assert.equal(code, 130)
  const [, id] =
    /The scan continues; resume waiting with: bellwether runs wait (\S{36})\n$/.exec(stderr) ?? assert.fail(stderr)
  assert.equal((await json('runs', 'show', id as string)).status, 'running')
})

test('people are found in plain English, listed, shown, and their addresses looked up', async () => {
  const found = await run(['people', 'find', 'VP of Sales', '--account', 'alder.example'])
  assert.equal(found.code, 0, found.stderr)
  assert.match(found.stdout, /^NAME +TITLE +ACCOUNT +EMAIL +ID\nAda Pike +VP Sales +Alder/)
  assert.match(found.stderr, /1 found at 1 account\.\n$/)
  // The email address is copied, so a narrow terminal hides the id instead.
  assert.match(await ok(['people', 'list'], { columns: 60, env: { NO_COLOR: '1' } }), /^NAME +TITLE +ACCOUNT +EMAIL\n/)
  assert.match(await ok(['people', 'show', 'Ben Moss']), /\nphone +not looked up yet \(people reveal --phone\)\n/)
  const { search_id } = await json('people', 'find', 'VP of Sales', '--account', 'alder.example')
  assert.match(await ok(['people', 'search', search_id]), /Ada Pike/)
  assert.equal((await ok(['people', 'list', '--search', 'Moss', '--ids'])).trim(), person('Ben Moss'))
  assert.match(await ok(['people', 'show', 'Ada Pike']), /^Ada Pike\nid +\S+\ntitle +VP Sales\naccount +Alder\n/)
  const hidden = await run(['people', 'reveal', 'ada pike'])
  assert.deepEqual([hidden.code, hidden.stdout], [3, ''])
  assert.match(hidden.stderr, /\w.*\.\n$/)
})

test('discovery is waited for and lists what it suggests', async () => {
  const companies = ['birch.example', 'fir.example'].map((domain) => ({
    domain,
    name: COMPANIES[domain]?.site?.name ?? '',
    ...COMPANIES[domain]?.universe,
  }))
  await addCompanies(service.databaseUrl, workspaceId, companies)
  const { code, stdout, stderr } = await run([
    'discover',
    '--signal',
    'funding',
    '--geography',
    'Austria',
    '--name',
    'Nearby',
    '--wait',
  ])
  assert.equal(code, 0, stderr)
  assert.match(stdout, /1 matched, 1 accounts\nNAME.*\nBirch +birch\.example/)
  assert.match(await ok(['runs', 'list']), /done +(just now|\d+ min ago) +Nearby/)
  assert.equal((await run(['discover', '--signal', 'nonsense'])).code, 3)
  assert.equal((await run(['discover', '--signal', 'funding', '--recency', 'soon'])).code, 2)
})

test('signals are tested on a text, created and listed; findings are listed since a date and by signal', async () => {
  const tried = await ok(
    ['signals', 'preview', 'The company orders robots for its warehouse', '--file', '-', '--company', 'Acme'],
    {
      stdin: 'Acme ordered forty robots for its warehouse in Leipzig. The weather was fine.',
    },
  )
  assert.match(tried, /^ *\d+ % {2}“Acme ordered forty robots for its warehouse in Leipzig\.”\n/)
  const id = (await ok(['signals', 'create', 'Robots', 'The company orders robots', '--disabled'])).trim()
  assert.match(await ok(['signals', 'list']), new RegExp(`^${id} +no +0 +Robots`, 'm'))
  const findings = await run(['findings', '--since', '2020-01-01', '--signal', 'funding'])
  assert.match(findings.stdout, /Alder {2}funding/)
  assert.match(findings.stderr, /\d findings? since 2020-01-01\.\n$/)
  const few = await run(['findings', '--since', '9000d', '--limit', '1'])
  assert.match(few.stderr, /^1 of (\d+) findings of the last 9000 days; use --limit \1 to show all\.\n$/)
  assert.equal((await run(['findings', '--since', 'soon'])).code, 2)
})

test('accounts and people are pushed by name and from stdin; failed rows and background pushes are reported', async () => {
  await client.expect(201, 'POST', '/v1/webhook-destinations', { name: 'Warehouse', url: 'https://hooks.example/in' })
  const before = alerts.length
  assert.equal(await ok(['push', 'accounts', 'alder.example', '--to', 'warehouse']), '1 pushed, 0 failed, 0 skipped\n')
  assert.equal(
    await ok(['push', 'people', '-', '--to', 'Warehouse'], { stdin: `${person('Ada Pike')}\n` }),
    '1 pushed, 0 failed, 0 skipped\n',
  )
  assert.deepEqual(
    alerts.slice(before).map(({ path }) => path),
    ['/in', '/in'],
  )
  const many = Array.from({ length: 101 }, () => crypto.randomUUID())
  const background = await run(['push', 'accounts', '-', account('alder.example'), '--to', 'Warehouse', '--wait'], {
    stdin: many.join('\n'),
  })
  assert.equal(background.code, 0, background.stderr)
  assert.match(background.stdout, /^completed: 1 of 102 accounts sent to Warehouse, 0 failed, 101 skipped\n$/)
  assert.match(await ok(['runs', 'list', '--pushes']), /completed +(just now|\d+ min ago) +1 of 102 +Warehouse/)
  await client.expect(201, 'POST', '/v1/webhook-destinations', { name: 'Broken', url: 'https://refuses.example/in' })
  const failed = await run(['push', 'accounts', 'alder.example', '--to', 'Broken'])
  assert.deepEqual([failed.code, failed.stdout], [6, '0 pushed, 1 failed, 0 skipped\n'])
  assert.match(failed.stderr, /^\S{36} failed: /)
  const nowhere = await run(['push', 'accounts', 'alder.example', '--to', 'Nowhere'])
  assert.deepEqual(
    [nowhere.code, nowhere.stderr],
    [3, 'No destination or CRM is called Nowhere. There are: Warehouse, Broken, crm, HubSpot, Salesforce.\n'],
  )
  // The product name is resolved; the service rejects the push because the CRM is not connected.
  const hubspot = await run(['push', 'accounts', 'alder.example', '--to', 'HubSpot'])
  assert.equal(hubspot.code, 1)
  assert.doesNotMatch(hubspot.stderr, /is called/)
  assert.equal((await run(['push', 'accounts', 'alder.example', '--to', 'crm'])).code, 1)
})

test('the knowledge base is read and edited, usage and status are shown', async () => {
  await client.expect(201, 'POST', '/v1/knowledge-base', { title: 'Pitch', content_md: '- Rails' })
  assert.match(await ok(['knowledge', 'list']), /Pitch/)
  assert.equal(await ok(['knowledge', 'show', 'pitch']), '- Rails\n')
  assert.equal(await ok(['knowledge', 'edit', 'Pitch', '--file', '-'], { stdin: '- Roads' }), 'Pitch was changed.\n')
  assert.equal(
    await ok(['knowledge', 'edit', 'Pitch'], { columns: 80, edit: (text) => `${text}, rivers` }),
    'Pitch was changed.\n',
  )
  assert.equal((await json('knowledge', 'show', 'Pitch')).content_md, '- Roads, rivers')
  const same = await run(['knowledge', 'edit', 'Pitch'], { columns: 80 })
  assert.deepEqual([same.stdout, same.stderr], ['', 'Nothing was changed.\n'])
  assert.equal((await run(['knowledge', 'edit', 'Pitch'])).code, 2)
  assert.match(await ok(['usage']), /^period +\d{4}-\d\d-\d\d to .*\ncredits used +\d+/)
  assert.match(await ok(['status']), /^member +Other \(other@elsewhere\.example\), admin\nworkspace +Elsewhere\n/)
})

test('a profile stores the address and the key readable by this user only; the key is never on the command line', async () => {
  const home = configHome()
  const file = join(home, 'bellwether', 'profiles.json')
  const mine = { XDG_CONFIG_HOME: home }
  const nothing = await bellwether(['accounts', 'list'], { env: mine })
  assert.equal(nothing.code, 4)
  assert.match(nothing.stderr, /^No service is configured yet\. Choose a service:\n {2}bellwether login --url/)
  const login = ['login', '--url', service.address]
  const refusedKey = await bellwether(login, { env: mine, stdin: 'bw_wrong\n' })
  assert.equal(refusedKey.code, 4)
  const kept = await bellwether(login, { env: mine, stdin: `${key}\n` })
  assert.match(kept.stdout, /^Logged in as Other in Elsewhere\. Stored as profile default in /)
  const typed = await bellwether([...login, '--profile', 'typed'], { env: mine, columns: 80, typed: key })
  assert.equal(typed.code, 0, typed.stderr)
  assert.deepEqual([statSync(file).mode & 0o777, statSync(join(home, 'bellwether')).mode & 0o777], [0o600, 0o700])
  assert.equal((await bellwether(['status'], { env: mine })).code, 0)
  assert.match((await bellwether(['profiles', 'use', 'default'], { env: mine })).stdout, /^default \(http/)
  const listed = await bellwether(['profiles', 'list'], { env: mine })
  assert.match(listed.stdout, /^NAME +ADDRESS +IN USE\ndefault +http:\S+ +yes\ntyped +http:\S+/)
  assert.doesNotMatch(listed.stdout, new RegExp(key))
  // The key of a profile is sent only to its own address.
  const elsewhere = await bellwether(['status', '--profile', 'typed', '--url', 'http://127.0.0.1:1'], { env: mine })
  assert.equal(elsewhere.code, 2)
  assert.match(elsewhere.stderr, /is not sent to http:\/\/127\.0\.0\.1:1\.\n$/)
  assert.equal((await bellwether(['status', '--url', `${service.address}/`], { env: mine })).code, 0)
  for (const name of ['nope', 'constructor', '__proto__'])
    for (const env of [mine, { XDG_CONFIG_HOME: configHome() }])
      assert.equal((await bellwether(['status', '--profile', name], { env })).code, 3)
  assert.equal((await bellwether(['status'], { env: { ...mine, BELLWETHER_PROFILE: 'typed' } })).code, 0)
  assert.equal((await bellwether(['profiles', 'remove', 'default'], { env: mine })).code, 0)
  assert.deepEqual(Object.keys(JSON.parse(readFileSync(file, 'utf8')).profiles), ['typed'])
  writeFileSync(file, '{')
  assert.match((await bellwether(['status'], { env: mine })).stderr, /is not a valid profile file\. Remove it/)
})

test('a key is sent over plain http to this machine and private networks only, unless --insecure is set', async () => {
  for (const [url, allowed] of [
    ['http://bellwether.example.com', false],
    ['http://93.184.216.34', false],
    ['http://[2606:4700::1111]', false],
    ['http://10.0.0.1.example.com', false],
    ['ftp://localhost', false],
    ['nonsense', false],
    ['http://127.0.0.1:1', true],
    ['http://[::1]:1', true],
    ['http://localhost:1', true],
  ] as const) {
    const { resolveTarget } = await import('../src/cli/remote/target.ts')
    const resolved = resolveTarget({ url, key: 'k' }, {})
    if (allowed) assert.deepEqual(await resolved, { url, key: 'k' })
    else await assert.rejects(resolved, { exitCode: 2 }, url)
  }
  const { resolveTarget } = await import('../src/cli/remote/target.ts')
  for (const url of ['http://10.1.2.3', 'http://192.168.1.4:3000', 'http://bellwether:3000', 'http://api.internal'])
    assert.equal((await resolveTarget({ url, key: 'k' }, {})).url, url)
  assert.deepEqual(await resolveTarget({ url: 'http://a.example.com/x/', key: 'k', insecure: true }, {}), {
    url: 'http://a.example.com/x',
    key: 'k',
  })
  assert.deepEqual(await resolveTarget({}, { BELLWETHER_KEY: 'k', XDG_CONFIG_HOME: configHome() }), {
    url: 'http://127.0.0.1:3000',
    key: 'k',
  })
})

test('exit codes report the kind of error', async () => {
  const reader = await service.stranger()
  const readOnly = await reader.client.expect(201, 'POST', '/v1/api-keys', { name: 'r', read_only: true })
  const proxy = createServer((_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Hello'),
  )
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  after(() => proxy.close())
  const other = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  for (const [code, args, more] of [
    [0, ['usage']],
    [1, ['usage'], { BELLWETHER_URL: other }],
    [2, ['accounts', 'list', '--status', 'nice']],
    [2, ['accounts', 'list', '--limit', 'many']],
    [2, ['accounts', 'dance']],
    [2, ['accounts']],
    [2, ['accounts', 'tag', 'alder.example']],
    [2, ['accounts', 'list', '--owner', 'none']],
    [3, ['accounts', 'show', crypto.randomUUID()]],
    [3, ['accounts', 'list', '--owner', 'nobody@team.example']],
    [4, ['usage'], { BELLWETHER_KEY: 'bw_wrong' }],
    [4, ['accounts', 'add', 'x.example'], { BELLWETHER_KEY: readOnly.key }],
    [2, ['usage'], { BELLWETHER_KEY: 'k e y' }],
  ] as [number, string[], Record<string, string>?][]) {
    const ended = await run(args, { env: more ?? {} })
    assert.equal(ended.code, code, `${args.join(' ')}: ${ended.stderr}`)
    if (code > 0) {
      assert.equal(ended.stdout, '')
      assert.match(ended.stderr, /\w/)
      assert.doesNotMatch(ended.stderr, /\n {4}at |node:/)
    }
  }
  const away = await run(['usage'], { env: { BELLWETHER_URL: 'http://127.0.0.1:2' } })
  assert.equal(away.code, 5)
  assert.match(away.stderr, /cannot be reached at http:\/\/127\.0\.0\.1:2\..*\(ECONNREFUSED\)\n$/)
  // Another workspace's key sees nothing of this one.
  const stranger = await run(['accounts', 'show', account('alder.example')], { env: { BELLWETHER_KEY: reader.key } })
  assert.deepEqual([stranger.code, stranger.stdout], [3, ''])
})
