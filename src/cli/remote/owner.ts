import type { Bellwether } from '@bellwether/client'
import { resolveMemberId } from '@bellwether/client/names'
import { CliError, EXIT_CODES } from '../terminal/exit-codes.ts'

/** The member id for an option that sets the owner of accounts; null for `none`. */
export async function resolveOwner(client: Bellwether, given: string): Promise<string | null> {
  return given === 'none' ? null : resolveMemberId(client, given)
}

/** The member id for the `--owner` filter of a list, which does not support `none`. */
export async function resolveOwnerFilter(client: Bellwether, given: string | undefined): Promise<string | undefined> {
  if (given === undefined) return undefined
  const id = await resolveOwner(client, given)
  if (id === null)
    throw new CliError(EXIT_CODES.usage, '--owner takes a member here: lists cannot be filtered by "no owner".')
  return id
}
