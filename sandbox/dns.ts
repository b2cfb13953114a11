import type { MailDomain } from './types.ts'

const MX = 15
const NO_ERROR = 0
const NO_SUCH_NAME = 3

/** Answers a DNS question (RFC 1035) about the mail servers of the domains; null for what is no question. */
export function answerQuestion(question: Buffer, domains: ReadonlyMap<string, MailDomain>): Buffer | null {
  const asked = readQuestion(question)
  if (!asked) return null
  const domain = domains.get(asked.name)
  const records: Buffer[] = []
  if (domain && asked.type === MX) {
    const exchange = domain.behaviour === 'no_mail' ? Buffer.from([0]) : nameOf(`mx.${domain.domain}`)
    records.push(record(domain.behaviour === 'no_mail' ? 0 : 10, exchange))
  }
  const header = Buffer.alloc(12)
  question.copy(header, 0, 0, 2)
  // An answer, authoritative; the client asked for recursion and gets it.
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

function record(priority: number, exchange: Buffer): Buffer {
  const fixed = Buffer.alloc(14)
  // The name is the one in the question.
  fixed.writeUInt16BE(0xc00c, 0)
  fixed.writeUInt16BE(MX, 2)
  fixed.writeUInt16BE(1, 4)
  fixed.writeUInt32BE(60, 6)
  fixed.writeUInt16BE(exchange.length + 2, 10)
  fixed.writeUInt16BE(priority, 12)
  return Buffer.concat([fixed, exchange])
}

function nameOf(name: string): Buffer {
  const labels = name.split('.').flatMap((label) => [Buffer.from([label.length]), Buffer.from(label)])
  return Buffer.concat([...labels, Buffer.from([0])])
}
