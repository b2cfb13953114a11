// What session.ts and its thread say to each other.

export type WorkerOptions = { file: string; threads: number }

/** Windows of one length: `ids` holds them one after another, `places` every [S] as an index into `ids`. */
export type Batch = { id: number; ids: Int32Array; windows: number; length: number; places: Int32Array }

/** Logits in steps of 1/512, so that they are kept in little room: twelve for a window, twelve and one for every place. */
export type Judged = { document: Int16Array; sentences: Int16Array; described: Int16Array }

export const LOGIT_STEPS = 512

export type Answer =
  | { kind: 'ready' }
  | { kind: 'judged'; id: number; judged: Judged }
  | { kind: 'failed'; id: number; message: string }
