// Messages between pool.ts and its threads. A thread runs one job at a time, until the job is done or requests scores;
// while a job waits for scores, the thread can run another.
import type { TokenWindow } from '../classifier/judge.ts'
import type { WindowScores } from '../classifier/protocol.ts'
import type { TaskName } from './tasks.ts'

/** `workerData` of a thread: the folder of the compile cache, if there is one. */
export type ThreadData = { compileCache: string | undefined }

export type MessageToThread =
  | { kind: 'task'; id: number; name: TaskName; input: unknown }
  | { kind: 'scores'; id: number; scores: WindowScores[] }
  | { kind: 'no-scores'; id: number; error: unknown }

/** `cpuMs`: CPU time of the thread since it started. */
export type MessageFromThread = { cpuMs: number } & ThreadMessage

export type ThreadMessage =
  | { kind: 'ready' }
  | { kind: 'score-request'; id: number; windows: TokenWindow[] }
  | { kind: 'done'; id: number; output: unknown }
  | { kind: 'failed'; id: number; error: unknown }
