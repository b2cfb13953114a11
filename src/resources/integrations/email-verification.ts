import type { Config } from '../../config/config.ts'
import type { Deps } from '../../deps/deps.ts'
import { EMAIL_VERIFIERS } from '../../providers/email/index.ts'
import { findVerifyFrom } from '../workspaces/store.ts'

type Parts = Pick<Deps, 'db' | 'config'>

/** Returns the configuration for verifying email addresses; the workspace's sender address overrides the environment. */
export async function verificationConfig({ db, config }: Parts, workspaceId: string): Promise<Config> {
  const from = await findVerifyFrom(db, workspaceId)
  return from === null ? config : { ...config, EMAIL_VERIFY_FROM: from }
}

/** Returns why no address can be verified and how to enable verification; null if it is enabled. */
export function verificationProblem(config: Config): string | null {
  if (EMAIL_VERIFIERS.some((verifier) => verifier.isOn(config))) return null
  return 'Email verification is off: set a sender address with PUT /integrations/email-verification or EMAIL_VERIFY_FROM, or set ZEROBOUNCE_API_KEY. Until then only addresses that companies publish are returned.'
}

/** Returns the effective email verification settings of a workspace. */
export async function describeVerification(parts: Parts, workspaceId: string) {
  const config = await verificationConfig(parts, workspaceId)
  const { EMAIL_VERIFY_FROM: from, ZEROBOUNCE_API_KEY } = config
  const set_by = from === null ? null : config === parts.config ? ('environment' as const) : ('workspace' as const)
  const problem = verificationProblem(config)
  return { enabled: problem === null, from, set_by, vendor: ZEROBOUNCE_API_KEY ? 'zerobounce' : null, problem }
}
