import { escapeHtml } from '../vendors/boards.ts'

export { escapeHtml }

export const paragraphs = (texts: readonly string[], attributes = ''): string =>
  texts.map((text) => `<p${attributes}>${escapeHtml(text)}</p>`).join('\n')

/** A script element; `<` is escaped so that no text can close it. */
export const json = (type: string, value: unknown, attributes = ''): string =>
  `<script${attributes} type="${type}">${JSON.stringify(value).replaceAll('<', '\\u003c')}</script>`
