import type { SandboxResponse } from '../types.ts'

type Table = { title: string; rows: readonly Record<string, unknown>[] }

/** A page with the contents of a CRM: a table for each type of record, newest first. */
export function crmPage(title: string, tables: readonly Table[]): SandboxResponse {
  const body = tables.map(({ title, rows }) => `<h2>${text(title)} (${rows.length})</h2>${tableOf(rows)}`).join('')
  const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${text(title)}</title>
<style>body{font:14px system-ui;margin:2em}table{border-collapse:collapse}td,th{border:1px solid #ccc;padding:.3em .6em;text-align:left;vertical-align:top;white-space:pre-line;max-width:30em}</style>
</head><body><h1>${text(title)}</h1>${body}</body></html>
`
  return { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body: page }
}

function tableOf(rows: Table['rows']): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const head = columns.map((column) => `<th>${text(column)}</th>`).join('')
  const cells = (row: Record<string, unknown>) =>
    columns.map((column) => `<td>${text(row[column] ?? '')}</td>`).join('')
  const lines = rows.toReversed().map((row) => `<tr>${cells(row)}</tr>`)
  return `<table><tr>${head}</tr>${lines.join('')}</table>`
}

function text(value: unknown): string {
  return String(value).replaceAll(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
}
