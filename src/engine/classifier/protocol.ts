// Messages between inference-thread.ts and its worker.

export type InferenceWorkerOptions = { file: string; threads: number }

/** A window to score: its token ids, and the positions of the [S] tokens among them. */
export type InferenceTask = { id: number; ids: Int32Array; sentencePositions: readonly number[] }

/**
 * Logits in steps of 1/512, to store them as 16-bit integers: `document` by signal, `sentences` by position and signal,
 * `described` by position.
 */
export type WindowScores = { document: Int16Array; sentences: Int16Array; described: Int16Array }

export const LOGIT_STEPS = 512

/** 'load' loads the network, which takes far more memory than the runtime. */
export type InferenceRequest = 'load' | InferenceTask

export type InferenceResponse =
  | { kind: 'started' }
  | { kind: 'loaded' }
  | { kind: 'judged'; id: number; scores: WindowScores }
  | { kind: 'failed'; id: number; message: string }
