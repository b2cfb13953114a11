import type { Lines } from '../../outbound/conversation.ts'
import { OutboundError } from '../../outbound/errors.ts'

/** What a mail server says about one address. */
export type RecipientVerdict = 'accepted' | 'no_mailbox' | 'later' | 'blocked'

export type SmtpDialogueResult = {
  /** What it says about an address that nobody has: `accepted` means that it says so about every address. */
  control: RecipientVerdict
  /** One for each address it answered for, in their order; fewer when it ended the conversation. */
  verdicts: RecipientVerdict[]
}

type SmtpQuery = {
  /** The name the mail server knows itself under. */
  host: string
  /** The name we give as ours. */
  helo: string
  from: string
  /** An address that nobody has. */
  control: string
  addresses: readonly string[]
}

type Reply = { code: number; text: string }

/**
 * Asks a mail server which of some addresses it would take mail for. No mail is sent: the dialogue ends before DATA.
 * All addresses are named in every dialogue, even when the server asks to come back later: greylisting remembers each
 * sender and recipient by itself.
 */
export async function checkRecipients(lines: Lines, question: SmtpQuery): Promise<SmtpDialogueResult> {
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
      // 421 ends the conversation: too many unknown names.
      if (reply.code === 421) break
      verdicts.push(verdictOf(reply, 'no_mailbox'))
      // One is enough; every further question looks like guessing.
      if (verdicts.at(-1) === 'accepted') break
    }
  }
  // All has been said; a server that hangs up instead of answering takes nothing back.
  await command(lines, 'QUIT').catch(() => null)
  return { control: first, verdicts }
}

async function greet(lines: Lines, helo: string): Promise<void> {
  const reply = await command(lines, `EHLO ${helo}`)
  if (reply.code >= 500) await command(lines, `HELO ${helo}`)
}

async function command(lines: Lines, line: string): Promise<Reply> {
  lines.write(line)
  return readReply(lines)
}

const MAX_REPLY_LINES = 100

/** A reply may have several lines, `250-` before the last, `250 ` on it. Throws OutboundError for anything else. */
async function readReply(lines: Lines): Promise<Reply> {
  const texts: string[] = []
  let code: string | null = null
  for (let count = 0; count < MAX_REPLY_LINES; count++) {
    const match = /^([2-5]\d\d)(?:([ -])(.*))?$/.exec(await lines.read())
    // Not a reply at all, or parts of two: whatever speaks there, it says nothing about a mailbox.
    if (!match || (code !== null && match[1] !== code)) break
    code = match[1] as string
    texts.push(match[3] ?? '')
    if (match[2] !== '-') return { code: Number(code), text: texts.join(' ') }
  }
  throw new OutboundError('protocol', { message: 'The mail server did not answer as mail servers do.' })
}

/** Words of a refusal that is about us, or about all mail, and not about the mailbox. */
const ABOUT_US =
  /\b5\.7\.\d|\bblock|black ?list|blocklist|spam|reputation|rbl|dnsbl|policy|relay|not permitted|banned|ptr record|reverse dns|spf\b|sender (?:address )?rejected|authentication required|access denied by/i

/** Refusals of a recipient (RFC 5321) and the enhanced codes about a recipient's address (RFC 3463). */
const NO_MAILBOX = new Set([550, 551, 553])
const NO_ADDRESS = /^5\.1\.(?:[0-6]|10)\b/

function verdictOf({ code, text }: Reply, permanent: 'no_mailbox' | 'blocked'): RecipientVerdict {
  if (code === 250 || code === 251) return 'accepted'
  if (code >= 400 && code < 500) return 'later'
  // 252 and everything else between says neither yes nor no.
  if (code < 500) return 'blocked'
  // A full mailbox, a failed transaction and the like tell nothing about whether somebody is there.
  const isAboutMailbox = (NO_MAILBOX.has(code) && !ABOUT_US.test(text)) || NO_ADDRESS.test(text)
  return permanent === 'no_mailbox' && isAboutMailbox ? 'no_mailbox' : 'blocked'
}
