// What session.ts and its thread say to each other.

export type InferenceWorkerOptions = { file: string; threads: number }

/** A window to judge: its pieces, and the places of [S] among them. */
export type InferenceTask = { id: number; ids: Int32Array; sentencePositions: readonly number[] }

/**
 * Logits in steps of 1/512, so that they are kept in little room: `document` by signal, `sentences` by place and signal,
 * `described` by place.
 */
export type WindowScores = { document: Int16Array; sentences: Int16Array; described: Int16Array }

export const LOGIT_STEPS = 512

/** 'load': the network, which takes far more memory than the runtime alone. */
export type InferenceRequest = 'load' | InferenceTask

export type InferenceResponse =
  | { kind: 'started' }
  | { kind: 'loaded' }
  | { kind: 'judged'; id: number; scores: WindowScores }
  | { kind: 'failed'; id: number; message: string }
