import { slack } from './slack.ts'
import type { ChatVendor } from './types.ts'

/** The chat that alerts go to. Another one is a file and this line. */
export const chatVendor: ChatVendor = slack
