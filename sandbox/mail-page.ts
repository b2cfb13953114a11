import type { ReceivedMail, SmtpServer } from './smtp.ts'
import type { SandboxResponse } from './types.ts'

/** A page with the received mail, newest first, each as a mail program shows it. */
export function mailPage({ mails }: Pick<SmtpServer, 'mails'>): SandboxResponse {
  const body = mails.toReversed().map(mailSection).join('') || '<p>No mail yet.</p>'
  const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Mail sandbox</title>
<style>body{font:14px system-ui;margin:2em}iframe{width:100%;max-width:680px;height:640px;border:1px solid #ccc}pre{white-space:pre-wrap}</style>
</head><body><h1>Mail sandbox</h1>${body}</body></html>
`
  return { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body: page }
}

function mailSection({ headers, to, text, html }: ReceivedMail): string {
  const subject = escaped(headers.subject ?? '')
  return `<h2>${subject}</h2><p>To ${escaped(to.join(', '))}, ${escaped(headers.date ?? '')}</p>
<iframe sandbox="" title="${subject}" srcdoc="${escaped(html ?? '')}"></iframe>
<details><summary>Plain text</summary><pre>${escaped(text ?? '')}</pre></details>`
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
}
