// What pool.ts and its threads say to each other. A thread has one thing to do at a time: it computes until it is done, or
// until it has to ask; while it waits for the answer it can be given something else.
import type { Pieces } from '../classifier/judge.ts'
import type { WindowScores } from '../classifier/protocol.ts'
import type { TaskName } from './tasks.ts'

/** What a thread is started with: where compiled code is kept, if anywhere. */
export type WithThread = { compileCache: string | undefined }

export type ToThread =
  | { kind: 'task'; id: number; name: TaskName; input: unknown }
  | { kind: 'scores'; id: number; scores: WindowScores[] }
  | { kind: 'no-scores'; id: number; error: unknown }

/** `cpuMs` is what the thread has computed since it began. */
export type FromThread = { cpuMs: number } & Said

export type Said =
  | { kind: 'ready' }
  | { kind: 'ask'; id: number; windows: Pieces[] }
  | { kind: 'done'; id: number; output: unknown }
  | { kind: 'failed'; id: number; error: unknown }
