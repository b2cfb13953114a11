import type { Prompt } from './define.ts'
import { draftOutreach } from './draft-outreach.ts'
import { prepareCall } from './prepare-call.ts'
import { weeklyReview } from './weekly-review.ts'

export const PROMPTS: readonly Prompt[] = [prepareCall, weeklyReview, draftOutreach]
