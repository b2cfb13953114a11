import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { SetupError } from '../../src/shared/errors.ts'

const COMMAND = fileURLToPath(new URL('../../bin/bellwether.js', import.meta.url))

// The demo prints answers and decides little by them.
// biome-ignore lint/suspicious/noExplicitAny: see above
export type Json = any

export type ApiResponse = { status: number; data: Json; error: { code: string; message: string } | null }

export type RunningService = AsyncDisposable & {
  /** Calls `/v1` with the demo's key. Returns any status. */
  call: (method: string, path: string, body?: unknown) => Promise<ApiResponse>
  /** Runs another command of the service on the same data; returns its exit code and output. */
  command: (...args: string[]) => Promise<{ code: number; output: string }>
  /** Resolves when the service has exited, intentionally or not. */
  ended: Promise<void>
}

/** Starts `bellwether serve` as a child process and waits until it is ready. Throws when it exits before. */
export async function startService(env: NodeJS.ProcessEnv, address: string, key: string): Promise<RunningService> {
  // Otherwise another process on this port would be taken for the service and receive all requests.
  if (await isReady(address))
    throw new SetupError(`A service runs at ${address} already. End it, or set PORT to another.`)
  const child = spawn(process.execPath, [COMMAND, 'serve'], { env, stdio: ['ignore', 'inherit', 'inherit'] })
  const ended = Promise.withResolvers<void>()
  child.once('error', (error) => ended.reject(error)).once('exit', () => ended.resolve())
  await Promise.race([
    ready(address),
    ended.promise.then(() => Promise.reject(new SetupError('The service did not start; the reason stands above.'))),
  ])
  return {
    ended: ended.promise,
    async call(method, path, body) {
      const response = await fetch(`${address}/v1${path}`, {
        method,
        headers: {
          authorization: `Bearer ${key}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const { data = null, error = null } = (await response.json()) as Partial<ApiResponse>
      return { status: response.status, data, error }
    },
    command: (...args) => runCommand(args, env),
    [Symbol.asyncDispose]: () => stop(child, ended.promise),
  }
}

async function ready(address: string): Promise<void> {
  while (!(await isReady(address))) await wait(100)
}

async function isReady(address: string): Promise<boolean> {
  try {
    return (await fetch(`${address}/readyz`)).ok
  } catch {
    // The port is not open yet.
    return false
  }
}

async function runCommand(args: string[], env: NodeJS.ProcessEnv): Promise<{ code: number; output: string }> {
  const child = spawn(process.execPath, [COMMAND, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  child.once('error', reject).once('close', (code) => resolve(code ?? 1))
  return { code: await promise, output: output.trim() }
}

async function stop(child: ChildProcess, ended: Promise<void>): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
  await ended
}
