import { lookupTable } from '../../engine/text/lookup-table.ts'

export type Filing = {
  cik: number
  company: string
  accession: string
  form: string
  filed: string
  items: string[]
  document: string
  /** The SIC code of the filer's industry; null when absent. */
  industry: string | null
}

/** Descriptions of the forms. An amendment (`/A`) counts as its form. */
const FORMS = lookupTable<string>({
  D: 'notice of an exempt offering of securities',
  'S-1': 'registration of securities for a public offering',
  'F-1': 'registration of securities of a foreign company for a public offering',
  '8-K': 'current report',
  '10-K': 'annual report',
  '10-Q': 'quarterly report',
})

/** Descriptions of the items of a current report. */
const ITEMS = lookupTable<string>({
  '1.01': 'a material agreement',
  '1.02': 'the end of a material agreement',
  '1.03': 'bankruptcy or receivership',
  '1.05': 'a material cybersecurity incident',
  '2.01': 'a completed acquisition or disposal of assets',
  '2.02': 'results of operations',
  '2.03': 'a new financial obligation',
  '2.05': 'costs of exit or disposal activities',
  '2.06': 'material impairments',
  '3.02': 'unregistered sales of equity securities',
  '4.01': 'a change of accountant',
  '5.01': 'a change in control',
  '5.02': 'departure, election or appointment of directors or officers',
  '5.03': 'changed articles or bylaws',
  '7.01': 'a disclosure to the public',
  '8.01': 'other events',
})

export function isKnownForm(form: string): boolean {
  return Object.hasOwn(FORMS, baseForm(form))
}

export function baseForm(form: string): string {
  return form.replace(/\/A$/, '')
}

/** "Form 8-K: current report on a completed acquisition or disposal of assets". */
export function formTitle(form: string, items: readonly string[]): string {
  const described = items.flatMap((item) => ITEMS[item] ?? [])
  const about = described.length > 0 ? ` on ${described.join(', ')}` : ''
  const amended = form.endsWith('/A') ? ' (amended)' : ''
  return `Form ${baseForm(form)}: ${FORMS[baseForm(form)] ?? 'filing'}${about}${amended}`
}
