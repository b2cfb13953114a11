// What was judged once is not judged again: the logits of a window are kept by a hash of what was read and by whom.
import { createHash } from 'node:crypto'
import type { InferenceThread } from './inference-thread.ts'
import type { TokenWindow } from './judge.ts'
import type { WindowScores } from './protocol.ts'

/** Keeps judgements; a key stands for a window, with the company marked in it, and the weights that judged it. */
export type ScoreCache = {
  /** Those of the keys that are known. */
  read: (keys: readonly string[]) => Promise<ReadonlyMap<string, Buffer>>
  write: (judgements: ReadonlyMap<string, Buffer>) => Promise<void>
}

/** Judges the windows that are not remembered, each once, and remembers them. Answers in the order of the windows. */
export async function scoreWithCache(
  session: InferenceThread,
  version: string,
  windows: readonly TokenWindow[],
  memory: ScoreCache | null,
): Promise<WindowScores[]> {
  if (!memory) return session.judge(windows)
  const keys = windows.map((window) => cacheKey(version, window))
  const known = await memory.read([...new Set(keys)])
  const fresh = new Map<string, TokenWindow>()
  windows.forEach((window, i) => {
    const key = keys[i] as string
    if (!known.has(key)) fresh.set(key, window)
  })
  const judged = await session.judge([...fresh.values()])
  const news = new Map([...fresh.keys()].map((key, i) => [key, pack(judged[i] as WindowScores)]))
  if (news.size > 0) await memory.write(news)
  return keys.map((key, i) => unpack((news.get(key) ?? known.get(key)) as Buffer, windows[i] as TokenWindow))
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
  // A copy: what comes from elsewhere need not lie on an even address.
  const all = new Int16Array(Uint8Array.from(packed).buffer)
  const signals = (all.length - sentencePositions.length) / (sentencePositions.length + 1)
  const described = all.length - sentencePositions.length
  return {
    document: all.subarray(0, signals),
    sentences: all.subarray(signals, described),
    described: all.subarray(described),
  }
}
