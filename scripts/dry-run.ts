// Parts of the scripts that try an installation out without Docker.
import { spawnSync } from 'node:child_process'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'

/** The registry configuration of this machine, which other users and an empty home have no file for. */
export function networkSettings(): NodeJS.ProcessEnv {
  const ask = spawnSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8', cwd: tmpdir() })
  const names = [
    'HTTP_PROXY',
    'HTTPS_PROXY',
    'NO_PROXY',
    'http_proxy',
    'https_proxy',
    'no_proxy',
    'NODE_EXTRA_CA_CERTS',
  ]
  const given = names.filter((name) => process.env[name]).map((name) => [name, process.env[name]])
  return { npm_config_registry: ask.stdout.trim(), ...Object.fromEntries(given) }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
