import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { run } from './support/process.ts'
import { scene } from './support/scene.ts'
import { testService } from './support/service.ts'
import { bellwether, configHome } from './support/terminal.ts'

const exec = promisify(execFile)
const BIN = fileURLToPath(new URL('../bin/bellwether.js', import.meta.url))
// Without a worker, runs never end.
const service = await testService()
const world = await scene(service, { accounts: 250 })
await world.client.expect(200, 'POST', `/v1/accounts/${world.ids[0]}/activate`)
const env = {
  BELLWETHER_URL: service.address,
  BELLWETHER_KEY: world.client.key as string,
  XDG_CONFIG_HOME: configHome(),
}

/** Runs a line in bash, with `bellwether` as a function. */
async function inBash(line: string): Promise<string> {
  const script = `bellwether() { "${process.execPath}" "${BIN}" "$@"; }; ${line}`
  const { stdout, stderr } = await exec('bash', ['--norc', '--noprofile', '-c', script], {
    env: { PATH: process.env.PATH, ...env },
  })
  assert.equal(stderr, '')
  return stdout
}

test('Ctrl-C while waiting ends the process with 130, prints how to resume, and the scan continues', async () => {
  const scan = run(['accounts', 'scan', world.ids[0] as string, '--wait'], { env })
  await scan.sees(/signals checked/)
  scan.child.kill('SIGINT')
  assert.equal(await scan.exited, 130)
  const [, id] =
    /resume waiting with: bellwether runs wait (\S{36})\n$/.exec(scan.output()) ?? assert.fail(scan.output())
  assert.equal((await world.client.expect(200, 'GET', `/v1/runs/${id}`)).status, 'running')
})

test('a closed pipe ends a command quietly; commands pipe into each other; an error sets the exit code', async () => {
  const [id, ...codes] = (
    await inBash('set -o pipefail; bellwether accounts list --all --ids | head -n 1; echo $?')
  ).split('\n')
  assert.ok(world.ids.includes(id as string))
  assert.deepEqual(codes, ['0', ''])
  assert.equal(
    await inBash('bellwether accounts list --limit 150 --ids -q | bellwether accounts tag - --add piped'),
    '150 accounts changed.\n',
  )
  assert.equal(await inBash('bellwether accounts show Unknown 2>/dev/null; echo $?'), '3\n')
})

test('started by its path or a link under an older Node.js, it runs with the bundled one', async () => {
  const link = join(configHome(), 'bellwether')
  symlinkSync(BIN, link)
  // The old process cannot write, so the output is from the one that it starts.
  const older = `Object.defineProperty(process,"versions",{value:{...process.versions,node:"20.0.0"}});
    process.stdout.write=process.stderr.write=()=>true`
  const under = (...args: string[]) =>
    exec(process.execPath, ['--import', `data:text/javascript,${encodeURIComponent(older)}`, link, ...args], {
      env,
      cwd: '/',
    })
  assert.equal((await under('accounts', 'list', '--limit', '1', '--ids', '-q')).stdout.trim().length, 36)
  await assert.rejects(under('accounts', 'show', 'Unknown'), { code: 3, stderr: 'No account is called Unknown.\n' })
})

test('the scripts in docs/cli.md run', async () => {
  const page = readFileSync(new URL('../docs/cli.md', import.meta.url), 'utf8')
  const scripts = [...page.matchAll(/```sh\n(.*?)```/gs)].map(([, script]) => script as string)
  assert.ok(scripts.length >= 4)
  const folder = configHome()
  writeFileSync(join(folder, 'domains.txt'), 'from-a-file.example\n')
  const written = await inBash(`set -euo pipefail; cd ${folder}\n${scripts.join('\n')}`)
  assert.match(written, /from-a-file\.example +From A File +suggested +yes/)
  assert.match(written, /\n3 accounts changed\.\n/)
  assert.match(written, /\nacme\.example does not exist yet\n/)
  assert.match(readFileSync(join(folder, 'accounts.csv'), 'utf8'), /from-a-file\.example/)
})

test('the bundle in dist runs while it was built from the present source and packages', async () => {
  const folder = configHome()
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
  const source = (word: string) => `export const main = () => console.log('source ${word}')`
  const build = async () => {
    const digest = `import('./bin/source-digest.js').then(({ sourceDigest }) => process.stdout.write(sourceDigest()))`
    write('dist/digest', (await exec(process.execPath, ['-e', digest], { cwd: folder })).stdout)
  }
  const output = async () => (await exec(process.execPath, [join(folder, 'bin/bellwether.js')])).stdout.trim()
  cpSync(dirname(BIN), join(folder, 'bin'), { recursive: true })
  write('package.json', '{ "type": "module" }')
  write('package-lock.json', '{}')
  write('packages/client/src/index.ts', '')
  write('src/cli/main.ts', source('one'))
  assert.equal(await output(), 'source one')

  write('dist/main.js', `export const main = () => console.log('bundle')`)
  assert.equal(await output(), 'source one')
  await build()
  assert.equal(await output(), 'bundle')
  write('src/cli/main.test.ts', '// Not bundled.')
  assert.equal(await output(), 'bundle')

  write('src/cli/main.ts', source('two'))
  assert.equal(await output(), 'source two')
  await build()
  write('package-lock.json', '{ "packages": {} }')
  assert.equal(await output(), 'source two')
  await build()
  write('packages/client/src/other.ts', '')
  assert.equal(await output(), 'source two')
})

test('a remote command loads few files, and none of the service', async () => {
  const hook = `import { registerHooks } from 'node:module'; import { writeSync } from 'node:fs'
    registerHooks({ load: (url, context, next) => { if (url.startsWith('file:')) writeSync(2, url + '\\n'); return next(url, context) } })`
  const root = pathToFileURL(fileURLToPath(new URL('..', import.meta.url))).href
  // Not through bin/bellwether.js, which may run the bundle.
  const command = `(await import('${root}src/cli/main.ts')).main(['node', 'bellwether', 'accounts', 'list', '-q'])`
  const { stderr } = await exec(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(hook)}`, '--input-type=module', '--eval', command],
    { env: { PATH: process.env.PATH, ...env } },
  )
  const loaded = stderr.trim().split('\n')
  const own = loaded.filter((url) => url.startsWith(`${root}src/`)).map((url) => url.slice(root.length))
  const foreign = own.filter(
    (file) =>
      !/^src\/(cli\/(main|examples|remote\/.*|terminal\/.*)|shared\/version|outbound\/addresses)\.ts$/.test(file),
  )
  assert.ok(own.length > 10)
  assert.deepEqual(foreign, [])
  assert.ok(loaded.length < 60, loaded.join('\n'))
})

test('completion in bash offers commands, options and the values they take', async () => {
  const { stdout: script } = await bellwether(['completion', 'bash'])
  const cases: [words: string, offered: string[]][] = [
    ['acc', ['accounts']],
    ['accounts s', ['show', 'scan']],
    ['accounts list --st', ['--status']],
    ['accounts list --status s', ['suggested']],
    ['accounts list --tag accounts --so', ['--sort']],
    ['accounts list --tag ', []],
    ['completion z', ['zsh']],
    ['serve --only ', ['api', 'worker']],
    ['push people --t', ['--to']],
  ]
  const lines = cases.map(([words]) => {
    const typed = words.split(' ').map((word) => `'${word}'`)
    return `COMP_WORDS=(bellwether ${typed.join(' ')}); COMP_CWORD=${typed.length}; _bellwether; echo "\${COMPREPLY[*]}"`
  })
  const offered = (await inBash(`${script}\n${lines.join('\n')}`)).trimEnd().split('\n')
  for (const [at, [words, expected]] of cases.entries())
    assert.deepEqual(offered[at]?.split(' ').filter(Boolean) ?? [], expected, words)
  for (const shell of ['zsh', 'fish']) {
    const { code, stdout } = await bellwether(['completion', shell])
    assert.equal(code, 0)
    for (const word of ['accounts', 'status', 'suggested', 'completion'])
      assert.ok(stdout.includes(word), `${shell}: ${word}`)
    const syntax = await exec(shell, ['-n', '-c', stdout]).catch((error) => error)
    if (syntax.code !== 'ENOENT') assert.ok(!(syntax instanceof Error), `${shell}: ${syntax.stderr}`)
  }
  assert.equal((await bellwether(['completion', 'tcsh'])).code, 2)
})

test('without a command there is help; every command has an example; a mistyped one gets a hint', async () => {
  const { code, stdout } = await bellwether([])
  assert.equal(code, 0)
  assert.match(stdout, /^Usage: bellwether/)
  assert.match(stdout, /Exit codes:\n {2}0 +done\n/)
  assert.equal((await bellwether(['help'])).stdout, stdout)
  let examples = 0
  const visit = async (path: string[], help: string) => {
    const below = [...help.matchAll(/^ {2}([a-z][a-z-]+)(?: .*)? {2,}\w/gm)].map(([, name]) => name as string)
    const commands = /^Usage: .*\[command\]$/m.test(help) ? below.filter((name) => name !== 'help') : []
    if (commands.length === 0) {
      assert.match(help, /\n\n(Examples?|Install the script once.*):\n {2}(bellwether|echo) /, path.join(' '))
      examples++
    }
    for (const name of commands) await visit([...path, name], (await bellwether([...path, name, '--help'])).stdout)
  }
  await visit([], stdout)
  assert.ok(examples > 45, String(examples))
  for (const [args, hint] of [
    [['acounts'], /Did you mean accounts\?/],
    [['accounts', 'lits'], /Did you mean list\?/],
    [['accounts', 'list', '--hott'], /Did you mean --hot\?/],
  ] as const) {
    const ended = await bellwether([...args])
    assert.equal(ended.code, 2)
    assert.match(ended.stderr, hint)
  }
})
