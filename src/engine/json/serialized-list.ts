// Lists that others wrote: the people on a page, of a source, of a roster. They are kept as text, so that the answering thread can pass them on but cannot loop over them by accident. Reading threads open them
// (open-external.ts; scripts/check-borders.ts lets only the engine import it); the answering thread takes them in batches.

declare const ITEM: unique symbol

/** So many items are read at once: a batch of people takes a few milliseconds to read and to hash. */
export const BATCH_ITEMS = 200
/** One item may be longer than the rest together: a batch ends early where its text is long. */
const BATCH_CHARS = 256 * 1024

/** A JSON array of at most BATCH_ITEMS items. */
export type Batch = { readonly size: number; readonly json: string }

export type SerializedList<T> = {
  readonly size: number
  readonly batches: readonly Batch[]
  /** Exists in the type only: an External of people is none of positions. */
  readonly [ITEM]?: T
}

export const EMPTY_LIST: SerializedList<never> = { size: 0, batches: [] }

/** Closes a list. Where it is long, call it in a reading thread. */
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

/** Text that is in batches already, such as PostgreSQL makes with json_agg. */
export function listFromBatches<T>(batches: readonly Batch[]): SerializedList<T> {
  return { size: batches.reduce((sum, { size }) => sum + size, 0), batches }
}

/** The items of one batch. For all of a list see inTurns (src/shared/event-loop.ts) and, in reading threads, openExternal. */
export function parseBatch<T>({ json }: Batch): T[] {
  return JSON.parse(json)
}
