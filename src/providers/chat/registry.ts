import { slack } from './slack.ts'
import type { ChatVendor } from './types.ts'

/** The chat that receives alerts. To use another one, add a file and change this line. */
export const chatVendor: ChatVendor = slack
