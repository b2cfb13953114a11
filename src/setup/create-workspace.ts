import type { Db } from '../db/connect.ts'
import { createKey } from '../resources/api-keys/create.ts'
import { insertProfile } from '../resources/company-profile/store.ts'
import { insertMember } from '../resources/members/store.ts'
import { insertAlertSettings } from '../resources/notifications/store.ts'
import { insertBuiltinSignals } from '../resources/signals/store.ts'
import { insertSubscription } from '../resources/subscription/store.ts'
import { insertWorkspace } from '../resources/workspaces/store.ts'

type NewWorkspace = {
  name: string
  domain?: string | null
  /** The company in whose name drafts are written; the name of the workspace by default, null when it is unknown. */
  company?: string | null
  admin: { name: string; email: string }
  /** The admin's first key; generated when absent. */
  key?: string | null
}

/** Creates a workspace with its admin, first key, subscription and built-in signals. Call it in a transaction. */
export async function createWorkspace(db: Db, { name, domain = null, company = name, admin, key }: NewWorkspace) {
  const workspace = await insertWorkspace(db, { name, domain })
  const member = await insertMember(db, workspace.id, { ...admin, role: 'admin', visibility: 'all' })
  const created = await createKey(db, workspace.id, { member_id: member.id, name: 'First key', key: key ?? null })
  await insertSubscription(db, workspace.id)
  await insertProfile(db, workspace.id, { name: company, domain })
  await insertAlertSettings(db, workspace.id)
  await insertBuiltinSignals(db, workspace.id)
  return { workspace, member, key: created.key }
}
