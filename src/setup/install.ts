import type { Config } from '../config/config.ts'
import type { Db } from '../db/connect.ts'
import { findKeyByHash } from '../resources/api-keys/store.ts'
import { insertBuiltinSignals } from '../resources/signals/store.ts'
import { findInstallation, insertInstallation, lockInstallation } from '../resources/workspaces/store.ts'
import type { Secrets } from '../shared/secrets.ts'
import { hashToken } from '../shared/tokens.ts'
import { createWorkspace } from './create-workspace.ts'
import { loadKeyRing } from './key-ring.ts'

/**
 * Creates the first workspace in an empty database and returns its first API key. Returns null when the database is already
 * set up, after inserting built-in signals added by a newer version. Safe when several processes start at once. Throws
 * SetupError when the secrets key is not the one the database was set up with.
 */
export async function install(
  db: Db,
  secrets: Secrets,
  { BELLWETHER_API_KEY, WORKSPACE_DOMAIN }: Config,
): Promise<string | null> {
  return db.transaction().execute(async (db) => {
    const before = await findInstallation(db)
    if (before) {
      await insertBuiltinSignals(db, null)
      await loadKeyRing(db, secrets)
      return null
    }
    // A second process waits here for the first one's commit and then finds the installation.
    await lockInstallation(db)
    if (await findInstallation(db)) {
      await loadKeyRing(db, secrets)
      return null
    }
    const { workspace, key } = await createWorkspace(db, {
      name: 'Bellwether',
      company: null,
      domain: WORKSPACE_DOMAIN,
      admin: { name: 'Admin', email: 'admin@localhost' },
      key: BELLWETHER_API_KEY,
    })
    await insertInstallation(db, workspace.id, secrets.check)
    return key
  })
}

/** Whether a key from the configuration exists in this database. */
export async function isKnownKey(db: Db, key: string): Promise<boolean> {
  return (await findKeyByHash(db, hashToken(key))) !== null
}
