import type { MailDomain, Vendor } from '../types.ts'
import { json } from './boards.ts'

export const ZEROBOUNCE_KEY = 'sandbox-zerobounce-key'

/** `GET /v2/validate` of ZeroBounce: sees the same mail servers, and waits longer. */
export const zerobounce: Vendor = {
  name: 'zerobounce',
  hosts: ['api.zerobounce.net'],
  answer({ url }, { mail = [] }) {
    if (url.pathname !== '/v2/validate') return json(404, { error: 'Not found' })
    if (url.searchParams.get('api_key') !== ZEROBOUNCE_KEY) {
      // As documented: an error with status 200.
      return json(200, { error: 'Invalid API key or your account ran out of credits' })
    }
    const address = (url.searchParams.get('email') ?? '').toLowerCase()
    const [account = '', domain = ''] = address.split('@')
    const [status, sub_status] = statusOf(
      account,
      mail.find((known) => known.domain === domain),
    )
    return json(200, { address, status, sub_status, account, domain, free_email: false, mx_found: 'true' })
  },
}

function statusOf(account: string, domain: MailDomain | undefined): [string, string] {
  if (!domain || domain.behaviour === 'no_mail') return ['invalid', 'no_dns_entries']
  if (domain.behaviour === 'catch_all') return ['catch-all', '']
  if (domain.behaviour === 'refusing' || domain.behaviour === 'tarpit') return ['unknown', 'failed_smtp_connection']
  if (domain.behaviour === 'greylist_forever') return ['unknown', 'greylisted']
  return domain.users.includes(account) ? ['valid', ''] : ['invalid', 'mailbox_not_found']
}
