import { recordAt } from '../../audit/records.ts'
import { insertEntry } from '../../audit/store.ts'
import type { Config } from '../../config/config.ts'
import type { Deps } from '../../deps/deps.ts'
import type { RequestSource } from '../../http/audit.ts'
import { escapeHtml } from '../../http/form-page.ts'
import { sendMail } from '../../outbound/mail.ts'
import { AppError } from '../../shared/errors.ts'
import { newId } from '../../shared/ids.ts'
import { listMembershipsByEmail } from '../members/store.ts'
import { createSignInLink } from './link.ts'
import { forgetMail, mayEmailLink } from './link-store.ts'

type Parts = Pick<Deps, 'db' | 'config' | 'mailer' | 'background' | 'log'>

/**
 * Whether members can request a sign-in link by email. Needs PUBLIC_URL: an address taken from the request could lead a
 * member's link to another host. Providers replace it, so that a person who lost access there has none here.
 */
export const canEmailLinks = ({ SMTP_URL, PUBLIC_URL, OIDC_PROVIDERS }: Config): boolean =>
  SMTP_URL !== null && PUBLIC_URL !== null && OIDC_PROVIDERS.length === 0

/**
 * Sends a sign-in link to the members with this address, after the response: neither its content nor its time reveals whether
 * there are any. Throws not_found where links are not sent by email.
 */
export function emailSignInLink(parts: Parts, email: string, from: RequestSource): void {
  const { background, log, config } = parts
  if (!canEmailLinks(config)) {
    throw new AppError('not_found', 'Sign-in links are not sent by email here. Ask an admin for one.')
  }
  background
    .run((signal) => sendLinks(parts, email, from, signal))
    .catch((error) => log.error({ err: error }, 'a sign-in link could not be sent'))
}

async function sendLinks(
  { db, config, mailer, log }: Parts,
  email: string,
  from: RequestSource,
  signal: AbortSignal,
): Promise<void> {
  const memberships = await listMembershipsByEmail(db, email)
  const created = await Promise.all(
    memberships.map(({ workspace_id, id, workspace }) =>
      db.transaction().execute(async (db) => {
        if (!(await mayEmailLink(db, workspace_id, id))) return null
        const request = { member_id: id, isEmailed: true }
        const { url } = await createSignInLink({ db }, workspace_id, config.PUBLIC_URL as string, request)
        const target = { record: recordAt('/members'), id }
        await insertEntry(db, { workspace_id, actor: 'anonymous', ...from }, 'emailSignInLink', target, {
          outcome: 'ok',
        })
        return { workspace, url }
      }),
    ),
  )
  const links = created.filter((link) => link !== null)
  const [member] = memberships
  if (!member || links.length === 0) return
  const { result, message } = await sendMail(
    { mailer },
    { message_id: newId(), to: { name: member.name, address: member.email }, unsubscribe_url: null, ...textOf(links) },
    signal,
  )
  if (result === 'sent') return
  log.error({ reason: message }, 'a sign-in link could not be sent')
  for (const { workspace_id, id } of memberships) await forgetMail(db, workspace_id, id)
}

const NOTE = 'It works once, within 15 minutes. If you did not request it, ignore this mail.'

function textOf(links: { workspace: string; url: string }[]) {
  const named = links.map(({ workspace, url }) => ({ label: links.length > 1 ? `${workspace}: ` : '', url }))
  return {
    subject: 'Sign in to Bellwether',
    text: `Open this link to sign in to Bellwether:\n\n${named.map(({ label, url }) => label + url).join('\n\n')}\n\n${NOTE}\n`,
    html: `<p>Open this link to sign in to Bellwether:</p>${named
      .map(({ label, url }) => `<p>${escapeHtml(label)}<a href="${escapeHtml(url)}">Sign in</a></p>`)
      .join('')}<p>${escapeHtml(NOTE)}</p>`,
  }
}
