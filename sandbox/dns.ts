import type { MailDomain } from './types.ts'

const MX = 15
const TXT = 16
const NO_ERROR = 0
const NO_SUCH_NAME = 3

/** Answers a DNS query (RFC 1035) for the MX and TXT records of the domains; null for an invalid query. */
export function answerDnsQuery(question: Buffer, domains: ReadonlyMap<string, MailDomain>): Buffer | null {
  const asked = readQuestion(question)
  if (!asked) return null
  const domain = domains.get(asked.name)
  const records: Buffer[] = []
  if (domain && asked.type === MX) {
    const exchange = domain.behaviour === 'no_mail' ? Buffer.from([0]) : nameOf(exchangeOf(domain))
    records.push(record(MX, Buffer.concat([priority(domain.behaviour === 'no_mail' ? 0 : 10), exchange])))
  }
  if (domain && asked.type === TXT) {
    for (const text of domain.records?.txt ?? []) records.push(record(TXT, textOf(text)))
  }
  const header = Buffer.alloc(12)
  question.copy(header, 0, 0, 2)
  // An authoritative response; recursion was requested and is available.
  header.writeUInt16BE(0x8580 | (domain ? NO_ERROR : NO_SUCH_NAME), 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(records.length, 6)
  return Buffer.concat([header, question.subarray(12, asked.end), ...records])
}

function readQuestion(message: Buffer): { name: string; type: number; end: number } | null {
  const labels: string[] = []
  let at = 12
  for (let length = message[at]; length; length = message[at]) {
    labels.push(message.toString('ascii', at + 1, at + 1 + length))
    at += length + 1
    if (at + 5 > message.length) return null
  }
  const name = labels.join('.').toLowerCase()
  return message.length < at + 5 ? null : { name, type: message.readUInt16BE(at + 1), end: at + 5 }
}

/** Domains share a mail server only where the domain alone decides the replies. */
function exchangeOf({ domain, behaviour, records }: MailDomain): string {
  return behaviour === 'users' ? (records?.mx ?? `mx.${domain}`) : `mx.${domain}`
}

function record(type: number, data: Buffer): Buffer {
  const fixed = Buffer.alloc(12)
  // A pointer to the name in the question.
  fixed.writeUInt16BE(0xc00c, 0)
  fixed.writeUInt16BE(type, 2)
  fixed.writeUInt16BE(1, 4)
  fixed.writeUInt32BE(60, 6)
  fixed.writeUInt16BE(data.length, 10)
  return Buffer.concat([fixed, data])
}

function priority(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(value)
  return bytes
}

/** In strings of at most 255 bytes. */
function textOf(text: string): Buffer {
  const strings = text.match(/.{1,255}/g) ?? ['']
  return Buffer.concat(strings.flatMap((string) => [Buffer.from([string.length]), Buffer.from(string)]))
}

function nameOf(name: string): Buffer {
  const labels = name.split('.').flatMap((label) => [Buffer.from([label.length]), Buffer.from(label)])
  return Buffer.concat([...labels, Buffer.from([0])])
}
