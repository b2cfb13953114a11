import type { Tool } from '../shared/define.ts'
import { activateAccounts } from './activate-accounts.ts'
import { addAccounts } from './add-accounts.ts'
import { checkRun } from './check-run.ts'
import { discover } from './discover.ts'
import { findPeople } from './find-people.ts'
import { editKnowledgeBase, readKnowledgeBase } from './knowledge-base.ts'
import { push } from './push.ts'
import { readAccountTool } from './read-account.ts'
import { revealEmail } from './reveal-email.ts'
import { scanAccount } from './scan-account.ts'
import { searchAccounts } from './search-accounts.ts'
import { createSignal, previewSignal } from './signals.ts'
import { whatsNew } from './whats-new.ts'

/** Every tool, in the order in which work goes. */
export const TOOLS: readonly Tool[] = [
  searchAccounts,
  readAccountTool,
  whatsNew,
  addAccounts,
  activateAccounts,
  scanAccount,
  discover,
  checkRun,
  findPeople,
  revealEmail,
  push,
  readKnowledgeBase,
  editKnowledgeBase,
  previewSignal,
  createSignal,
]
