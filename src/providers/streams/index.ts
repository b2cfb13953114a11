import type { Config } from '../../config/config.ts'
import { companiesHouseStream } from './companies-house.ts'
import { gdelt } from './gdelt.ts'
import { globenewswire } from './globenewswire.ts'
import { nihReporter } from './nih-reporter.ts'
import { prNewswire } from './pr-newswire.ts'
import { secStream } from './sec.ts'
import { ted } from './ted.ts'
import type { Stream } from './types.ts'
import { usaspending } from './usaspending.ts'
import { warn } from './warn.ts'

/** All streams by name. */
export const STREAMS: ReadonlyMap<string, Stream> = new Map(
  [globenewswire, prNewswire, secStream, usaspending, ted, nihReporter, warn, companiesHouseStream, gdelt].map(
    (stream) => [stream.name, stream],
  ),
)

/** The streams that the configuration enables. */
export function enabledStreams(config: Config): Stream[] {
  return [...STREAMS.values()].filter(({ source, isOn }) => config.SOURCES.has(source) && (isOn?.(config) ?? true))
}
