import { OutboundError } from '../../outbound/errors.ts'
import type { LineConnection } from '../../outbound/line-connection.ts'

/** The reason given where the domain accepts mail for every address. */
export const CATCH_ALL = "Catch-all domain: can't verify."

/** A mail server's reply about one address. */
export type RecipientVerdict = 'accepted' | 'no_mailbox' | 'later' | 'blocked'

export type SmtpDialogueResult = {
  /** The reply about a nonexistent address: `accepted` means a catch-all domain. */
  control: RecipientVerdict
  /** One per address, in their order; fewer when the server closed the connection early. */
  verdicts: RecipientVerdict[]
}

type SmtpQuery = {
  /** The host name of the mail server. */
  host: string
  /** The host name in HELO. */
  helo: string
  from: string
  /** A nonexistent address. */
  control: string
  addresses: readonly string[]
}

type Reply = { code: number; text: string }

/**
 * Checks which addresses a mail server accepts mail for. Sends no mail: the dialogue ends before DATA. All addresses
 * are sent in every dialogue, even when the server defers: greylisting remembers each pair of sender and recipient
 * separately.
 */
export async function checkRecipients(lines: LineConnection, question: SmtpQuery): Promise<SmtpDialogueResult> {
  const { helo, from, control, addresses } = question
  const greeting = await readReply(lines)
  if (greeting.code !== 220) return { control: verdictOf(greeting, 'blocked'), verdicts: [] }
  await greet(lines, helo)
  let sender = await command(lines, `MAIL FROM:<${from}>`)
  if (sender.code === 530) {
    if ((await command(lines, 'STARTTLS')).code !== 220) return { control: 'blocked', verdicts: [] }
    await lines.secure(question.host)
    await greet(lines, helo)
    sender = await command(lines, `MAIL FROM:<${from}>`)
  }
  if (sender.code !== 250) return { control: verdictOf(sender, 'blocked'), verdicts: [] }
  const first = verdictOf(await command(lines, `RCPT TO:<${control}>`), 'no_mailbox')
  const verdicts: RecipientVerdict[] = []
  if (first === 'no_mailbox' || first === 'later') {
    for (const address of addresses) {
      const reply = await command(lines, `RCPT TO:<${address}>`)
      // 421 closes the connection: too many unknown recipients.
      if (reply.code === 421) break
      verdicts.push(verdictOf(reply, 'no_mailbox'))
      // One accepted address is enough; further ones look like an address harvest.
      if (verdicts.at(-1) === 'accepted') break
    }
  }
  // The verdicts are complete, so a server that closes the connection instead of replying does not matter.
  await command(lines, 'QUIT').catch(() => null)
  return { control: first, verdicts }
}

async function greet(lines: LineConnection, helo: string): Promise<void> {
  const reply = await command(lines, `EHLO ${helo}`)
  if (reply.code >= 500) await command(lines, `HELO ${helo}`)
}

async function command(lines: LineConnection, line: string): Promise<Reply> {
  lines.write(line)
  return readReply(lines)
}

const MAX_REPLY_LINES = 100

/**
 * A reply may have several lines, `250-` before the last, `250 ` on the last. Throws OutboundError for anything else.
 */
async function readReply(lines: LineConnection): Promise<Reply> {
  const texts: string[] = []
  let code: string | null = null
  for (let count = 0; count < MAX_REPLY_LINES; count++) {
    const match = /^([2-5]\d\d)(?:([ -])(.*))?$/.exec(await lines.read())
    // Not an SMTP reply, or parts of two.
    if (!match || (code !== null && match[1] !== code)) break
    code = match[1] as string
    texts.push(match[3] ?? '')
    if (match[2] !== '-') return { code: Number(code), text: texts.join(' ') }
  }
  throw new OutboundError('protocol', { message: 'The reply of the mail server is not valid SMTP.' })
}

/** Phrases of rejections that concern the sender or all mail, and not the mailbox. */
const SENDER_REJECTED =
  /\b5\.7\.\d|\bblock|black ?list|blocklist|spam|reputation|rbl|dnsbl|policy|relay|not permitted|banned|ptr record|reverse dns|spf\b|sender (?:address )?rejected|authentication required|access denied by/i

/** Reply codes that reject a recipient (RFC 5321), and enhanced codes about the recipient's address (RFC 3463). */
const NO_MAILBOX_CODES = new Set([550, 551, 553])
const NO_MAILBOX_TEXT = /^5\.1\.(?:[0-6]|10)\b/

function verdictOf({ code, text }: Reply, permanent: 'no_mailbox' | 'blocked'): RecipientVerdict {
  if (code === 250 || code === 251) return 'accepted'
  if (code >= 400 && code < 500) return 'later'
  // 252 and other codes below 500 decide nothing.
  if (code < 500) return 'blocked'
  // A full mailbox or a failed transaction decides nothing about whether the mailbox exists.
  const isAboutMailbox = (NO_MAILBOX_CODES.has(code) && !SENDER_REJECTED.test(text)) || NO_MAILBOX_TEXT.test(text)
  return permanent === 'no_mailbox' && isAboutMailbox ? 'no_mailbox' : 'blocked'
}
