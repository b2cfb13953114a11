import { escapeHtml } from '../vendors/boards.ts'

export { escapeHtml }

export const paragraphs = (texts: readonly string[], attributes = ''): string =>
  texts.map((text) => `<p${attributes}>${escapeHtml(text)}</p>`).join('\n')

/** A script element; `<` is written so that no text can end it. */
export const json = (type: string, value: unknown, attributes = ''): string =>
  `<script${attributes} type="${type}">${JSON.stringify(value).replaceAll('<', '\\u003c')}</script>`
