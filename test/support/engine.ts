import { loadConfig } from '../../src/config/config.ts'
import type { Deps } from '../../src/deps/deps.ts'
import { Classifier } from '../../src/engine/classifier/index.ts'
import { ParserPool } from '../../src/engine/threads/pool.ts'

let shared: Pick<Deps, 'classifier' | 'parserPool'> | undefined

/**
 * One for all services and tests of a process: its threads take longer to load than most tests do. One of each, because a
 * test reads little; an idle one holds up no end.
 */
export function sharedEngine(): Pick<Deps, 'classifier' | 'parserPool'> {
  const { READING_TIMEOUT_MS: timeoutMs } = loadConfig({})
  shared ??= { classifier: new Classifier({ threads: 1 }), parserPool: new ParserPool({ threads: 1, timeoutMs }) }
  return shared
}
