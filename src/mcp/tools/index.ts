import type { ToolDefinition } from '../shared/tool.ts'
import { activateAccountsTool, addAccountsTool, readAccountTool, searchAccountsTool } from './accounts.ts'
import { whatsNewTool } from './findings.ts'
import { editKnowledgeBaseTool, readKnowledgeBaseTool } from './knowledge-base.ts'
import { findPeopleTool, revealEmailTool } from './people.ts'
import { pushTool } from './push.ts'
import { checkRunTool, discoverTool, scanAccountTool } from './runs.ts'
import { createSignalTool, previewSignalTool } from './signals.ts'
import { closeWorkItemTool, whomToContactTool } from './work-items.ts'

/** Every tool, in the usual order of work. */
export const TOOLS: readonly ToolDefinition[] = [
  searchAccountsTool,
  readAccountTool,
  whatsNewTool,
  whomToContactTool,
  closeWorkItemTool,
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
