// Lists whose length others decide, such as the people on a page. They stay serialized, so that the main thread can pass them on
// but cannot loop over them by accident. Worker threads parse them at once (parse-list.ts, which scripts/check-borders.ts lets
// only the engine import); the main thread parses them batch by batch.

declare const ITEM: unique symbol

/** Items per batch: parsing and hashing this many people takes a few milliseconds. */
export const BATCH_ITEMS = 200
/** A batch ends early at this length, because items can be of any length. */
const BATCH_CHARS = 256 * 1024

/** A JSON array of at most BATCH_ITEMS items. */
export type Batch = { readonly size: number; readonly json: string }

export type SerializedList<T> = {
  readonly size: number
  readonly batches: readonly Batch[]
  /** Exists in the type only, so that a list of people is not assignable to a list of positions. */
  readonly [ITEM]?: T
}

export const EMPTY_LIST: SerializedList<never> = { size: 0, batches: [] }

/** Call this in a worker thread where the list may be long. */
export function serializeList<T>(items: Iterable<T>): SerializedList<T> {
  const batches: Batch[] = []
  let texts: string[] = []
  let chars = 0
  const end = () => {
    if (texts.length > 0) batches.push({ size: texts.length, json: `[${texts.join(',')}]` })
    texts = []
    chars = 0
  }
  for (const item of items) {
    const text = JSON.stringify(item)
    texts.push(text)
    chars += text.length
    if (texts.length >= BATCH_ITEMS || chars >= BATCH_CHARS) end()
  }
  end()
  return listFromBatches(batches)
}

/** A list from batches that are serialized already, for example by json_agg in PostgreSQL. */
export function listFromBatches<T>(batches: readonly Batch[]): SerializedList<T> {
  return { size: batches.reduce((sum, { size }) => sum + size, 0), batches }
}

/** The items of one batch. For a whole list use parseBatches (src/shared/event-loop.ts) or, in worker threads, parseSerializedList. */
export function parseBatch<T>({ json }: Batch): T[] {
  return JSON.parse(json)
}
