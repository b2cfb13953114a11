import type { PromptDefinition } from './define.ts'
import { draftOutreachPrompt } from './draft-outreach.ts'
import { prepareCallPrompt } from './prepare-call.ts'
import { weeklyReviewPrompt } from './weekly-review.ts'

export const PROMPTS: readonly PromptDefinition[] = [prepareCallPrompt, weeklyReviewPrompt, draftOutreachPrompt]
