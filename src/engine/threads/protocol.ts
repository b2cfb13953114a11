// What pool.ts and its threads say to each other. A thread has one thing to do at a time: it computes until it is done, or
// until it has to ask; while it waits for the answer it can be given something else.
import type { TokenWindow } from '../classifier/judge.ts'
import type { WindowScores } from '../classifier/protocol.ts'
import type { TaskName } from './tasks.ts'

/** What a thread is started with: where compiled code is kept, if anywhere. */
export type ThreadData = { compileCache: string | undefined }

export type MessageToThread =
  | { kind: 'task'; id: number; name: TaskName; input: unknown }
  | { kind: 'scores'; id: number; scores: WindowScores[] }
  | { kind: 'no-scores'; id: number; error: unknown }

/** `cpuMs` is what the thread has computed since it began. */
export type MessageFromThread = { cpuMs: number } & ThreadMessage

export type ThreadMessage =
  | { kind: 'ready' }
  | { kind: 'ask'; id: number; windows: TokenWindow[] }
  | { kind: 'done'; id: number; output: unknown }
  | { kind: 'failed'; id: number; error: unknown }
