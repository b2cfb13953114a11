import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { test } from 'node:test'
import { redactSecrets } from '../src/app/log.ts'
import { follow } from './support/process.ts'

test('lines are written soon, once, in order and without secrets; none is lost at exit', async () => {
  const script = `
    import { createLogger } from '${new URL('../src/app/log.ts', import.meta.url)}'
    const log = createLogger({ LOG_LEVEL: 'info', LOG_FORMAT: 'json' })
    let n = 0
    const write = (count) => { for (const end = n + count; n < end; n++) log.info({ n }, 'found jo@acme.com') }
    write(700)
    process.stdin.once('data', () => { write(2300); process.exit() })`
  const { child, sees, exited, output } = follow(spawn(process.execPath, ['--input-type=module', '--eval', script]))
  await sees(/"n":699,.*\n/)
  child.stdin.write('end\n')
  await exited
  const lines = output().trim().split('\n')
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).n),
    Array.from({ length: 3000 }, (_, n) => n),
  )
  assert.doesNotMatch(output(), /jo@/)
})

test('keys, secrets, tokens and addresses do not reach the log', () => {
  const line = redactSecrets(
    '{"a":"bw_4fQx8Zr1mUqT0cY5","b":"whsec_c2VjcmV0","c":"Bearer abcdef123456","d":"/v1/people?search=jo.doe+x%40acme.co.uk","e":"jo@acme.com","f":"bellwether_session=bws_9dKw3Vn1","g":"/sign-in#token=bwl_7hTq2Lp5","h":"smtp://ops:p%40ss-5Rw!@mail.example:587"}',
  )
  for (const secret of ['4fQx8Zr1', 'c2VjcmV0', 'abcdef123456', 'jo.doe', 'jo@', '9dKw3Vn1', '7hTq2Lp5', 'ss-5Rw'])
    assert.ok(!line.includes(secret), line)
  assert.equal(redactSecrets('GET /v1/accounts 200 12.5 ms'), 'GET /v1/accounts 200 12.5 ms')
})
