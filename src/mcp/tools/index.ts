import type { ToolDefinition } from '../shared/define.ts'
import { activateAccountsTool } from './activate-accounts.ts'
import { addAccountsTool } from './add-accounts.ts'
import { checkRunTool } from './check-run.ts'
import { discoverTool } from './discover.ts'
import { findPeopleTool } from './find-people.ts'
import { editKnowledgeBaseTool, readKnowledgeBaseTool } from './knowledge-base.ts'
import { pushTool } from './push.ts'
import { readAccountTool } from './read-account.ts'
import { revealEmailTool } from './reveal-email.ts'
import { scanAccountTool } from './scan-account.ts'
import { searchAccountsTool } from './search-accounts.ts'
import { createSignalTool, previewSignalTool } from './signals.ts'
import { whatsNewTool } from './whats-new.ts'

/** Every tool, in the order in which work goes. */
export const TOOLS: readonly ToolDefinition[] = [
  searchAccountsTool,
  readAccountTool,
  whatsNewTool,
  addAccountsTool,
  activateAccountsTool,
  scanAccountTool,
  discoverTool,
  checkRunTool,
  findPeopleTool,
  revealEmailTool,
  pushTool,
  readKnowledgeBaseTool,
  editKnowledgeBaseTool,
  previewSignalTool,
  createSignalTool,
]
