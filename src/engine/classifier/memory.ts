// What was judged once is not judged again: the logits of a window are kept by a hash of what was read and by whom.
import { createHash } from 'node:crypto'
import type { Pieces } from './judge.ts'
import type { WindowScores } from './protocol.ts'
import type { Session } from './session.ts'

/** Keeps judgements; a key stands for a window, with the company marked in it, and the weights that judged it. */
export type JudgementMemory = {
  /** Those of the keys that are known. */
  recall: (keys: readonly string[]) => Promise<ReadonlyMap<string, Buffer>>
  keep: (judgements: ReadonlyMap<string, Buffer>) => Promise<void>
}

/** Judges the windows that are not remembered, each once, and remembers them. Answers in the order of the windows. */
export async function judgeOnce(
  session: Session,
  version: string,
  windows: readonly Pieces[],
  memory: JudgementMemory | null,
): Promise<WindowScores[]> {
  if (!memory) return session.judge(windows)
  const keys = windows.map((window) => keyOf(version, window))
  const known = await memory.recall([...new Set(keys)])
  const fresh = new Map<string, Pieces>()
  windows.forEach((window, i) => {
    const key = keys[i] as string
    if (!known.has(key)) fresh.set(key, window)
  })
  const judged = await session.judge([...fresh.values()])
  const news = new Map([...fresh.keys()].map((key, i) => [key, pack(judged[i] as WindowScores)]))
  if (news.size > 0) await memory.keep(news)
  return keys.map((key, i) => unpack((news.get(key) ?? known.get(key)) as Buffer, windows[i] as Pieces))
}

function keyOf(version: string, { ids }: Pieces): string {
  return createHash('sha256').update(version).update(Uint16Array.from(ids)).digest('base64url').slice(0, 27)
}

function pack({ document, sentences, described }: WindowScores): Buffer {
  const all = new Int16Array(document.length + sentences.length + described.length)
  all.set(document)
  all.set(sentences, document.length)
  all.set(described, document.length + sentences.length)
  return Buffer.from(all.buffer)
}

function unpack(packed: Buffer, { places }: Pieces): WindowScores {
  // A copy: what comes from elsewhere need not lie on an even address.
  const all = new Int16Array(Uint8Array.from(packed).buffer)
  const signals = (all.length - places.length) / (places.length + 1)
  const described = all.length - places.length
  return {
    document: all.subarray(0, signals),
    sentences: all.subarray(signals, described),
    described: all.subarray(described),
  }
}
