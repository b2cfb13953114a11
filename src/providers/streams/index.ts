import type { Config } from '../../config.ts'
import { globenewswire } from './globenewswire.ts'
import { prNewswire } from './pr-newswire.ts'
import type { Stream } from './types.ts'

/** Every stream there is, by its name. */
export const STREAMS: ReadonlyMap<string, Stream> = new Map(
  [globenewswire, prNewswire].map((stream) => [stream.name, stream]),
)

/** Those that are switched on. */
export function streamsOn(config: Config): Stream[] {
  return [...STREAMS.values()].filter(({ source, isOn }) => config.SOURCES.has(source) && (isOn?.(config) ?? true))
}
