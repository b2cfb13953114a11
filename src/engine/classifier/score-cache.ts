// Caches the logits of a window by a hash of its tokens and of the version of the weights.
import { createHash } from 'node:crypto'
import type { InferenceThread } from './inference-thread.ts'
import type { TokenWindow } from './judge.ts'
import type { WindowScores } from './protocol.ts'

/**
 * A store of packed scores; a key identifies a window, with the company marked in it, and the weights that scored it.
 */
export type ScoreCache = {
  /** The stored scores of the given keys; unknown keys are absent. */
  read: (keys: readonly string[]) => Promise<ReadonlyMap<string, Buffer>>
  write: (judgements: ReadonlyMap<string, Buffer>) => Promise<void>
}

/** Scores the windows that are not cached, each once, and caches them. Returns scores in the order of the windows. */
export async function scoreWithCache(
  inference: InferenceThread,
  version: string,
  windows: readonly TokenWindow[],
  cache: ScoreCache | null,
): Promise<WindowScores[]> {
  if (!cache) return inference.score(windows)
  const keys = windows.map((window) => cacheKey(version, window))
  const known = await cache.read([...new Set(keys)])
  const fresh = new Map<string, TokenWindow>()
  windows.forEach((window, i) => {
    const key = keys[i] as string
    if (!known.has(key)) fresh.set(key, window)
  })
  const scored = await inference.score([...fresh.values()])
  const added = new Map([...fresh.keys()].map((key, i) => [key, pack(scored[i] as WindowScores)]))
  if (added.size > 0) await cache.write(added)
  return keys.map((key, i) => unpack((added.get(key) ?? known.get(key)) as Buffer, windows[i] as TokenWindow))
}

function cacheKey(version: string, { ids }: TokenWindow): string {
  return createHash('sha256').update(version).update(Uint16Array.from(ids)).digest('base64url').slice(0, 27)
}

function pack({ document, sentences, described }: WindowScores): Buffer {
  const all = new Int16Array(document.length + sentences.length + described.length)
  all.set(document)
  all.set(sentences, document.length)
  all.set(described, document.length + sentences.length)
  return Buffer.from(all.buffer)
}

function unpack(packed: Buffer, { sentencePositions }: TokenWindow): WindowScores {
  // A copy, because an Int16Array needs an even byte offset.
  const all = new Int16Array(Uint8Array.from(packed).buffer)
  const signals = (all.length - sentencePositions.length) / (sentencePositions.length + 1)
  const described = all.length - sentencePositions.length
  return {
    document: all.subarray(0, signals),
    sentences: all.subarray(signals, described),
    described: all.subarray(described),
  }
}
