import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { median, report } from './results.ts'
import { makeFolder, stop } from './support.ts'

/** Time from `npm start` to the first 200 on /healthz, next to the limit: the time of npm and Node without the service. */

const LATER_STARTS = 5
const PORT = '39217'

async function start(DATA_DIR: string): Promise<number> {
  const began = performance.now()
  const child = spawn('npm', ['start', '--silent'], {
    env: { ...process.env, DATA_DIR, PORT, LOG_LEVEL: 'warn' },
    stdio: 'ignore',
  })
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${PORT}/healthz`).catch(() => null)
    if (answer?.status === 200) break
    if (child.exitCode !== null) throw new Error(`npm start ended with ${child.exitCode}`)
    await sleep(5)
  }
  const took = performance.now() - began
  await stop(child)
  // npm may exit before the service does.
  while (await fetch(`http://127.0.0.1:${PORT}/healthz`).catch(() => null)) await sleep(5)
  return took
}

async function nothing(): Promise<number> {
  const began = performance.now()
  await once(spawn('npm', ['exec', '--silent', '--', 'node', '-e', '0'], { stdio: 'ignore' }), 'exit')
  return performance.now() - began
}

const folder = makeFolder()
try {
  const floor: number[] = []
  for (let n = 0; n < LATER_STARTS; n++) floor.push(await nothing())
  const first = await start(join(folder, 'data'))
  const later: number[] = []
  for (let n = 0; n < LATER_STARTS; n++) later.push(await start(join(folder, 'data')))
  report({ path: 'start: npm running nothing (the floor)', ours: median(floor) / 1000, unit: 's', atMost: null })
  report({ path: 'start: the first, which creates the database', ours: first / 1000, unit: 's', atMost: 3 })
  report({ path: 'start: later ones', ours: median(later) / 1000, unit: 's', atMost: 1.5 })
} finally {
  rmSync(folder, { recursive: true, force: true })
}
