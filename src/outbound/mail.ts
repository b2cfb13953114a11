export type Mail = {
  message_id: string
  to: { name: string; address: string }
  subject: string
  text: string
  html: string
  unsubscribe_url: string | null
}

type MailResult = {
  result: 'sent' | 'retry' | 'failed'
  status: number | null
  message: string | null
  retryAfter: number | null
}

/** Refuses every mail, because no mail server can be configured. */
export async function sendMail(_deps: object, _mail: Mail, _signal: AbortSignal): Promise<MailResult> {
  return { result: 'failed', status: null, message: 'No mail server is configured.', retryAfter: null }
}
