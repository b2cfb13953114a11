import { loadConfig } from '../../src/config/config.ts'
import type { Deps } from '../../src/deps/deps.ts'
import { Classifier } from '../../src/engine/classifier/index.ts'
import { ParserPool } from '../../src/engine/threads/pool.ts'

let shared: Pick<Deps, 'classifier' | 'parserPool'> | undefined

/**
 * Shared by all services and tests of a process: its threads take longer to load than most tests. One thread each, because
 * tests read little; an idle thread does not keep the process running.
 */
export function sharedEngine(): Pick<Deps, 'classifier' | 'parserPool'> {
  const { READING_TIMEOUT_MS: timeoutMs } = loadConfig({})
  shared ??= { classifier: new Classifier({ threads: 1 }), parserPool: new ParserPool({ threads: 1, timeoutMs }) }
  return shared
}
