import { Parser } from 'htmlparser2'
import { parseDate } from '../dates/find-dates.ts'
import { lookupTable } from '../text/lookup-table.ts'
import { cutText, toStorable } from '../text/storable.ts'

export type FormD = {
  entity: string | null
  /** Whether the form states the amount sold, which may be zero. */
  states_sold: boolean
  industry: string | null
  sold: number | null
  offered: number | null
  first_sale: string | null
  kinds: string[]
  clarification: string | null
  street: string | null
  phone: string | null
}

/** Kinds of securities by the element names of the form. */
const KINDS = lookupTable<string>({
  isequitytype: 'equity',
  isdebttype: 'debt',
  isoptiontoacquiretype: 'options or warrants',
})

/** Parses the XML of a Form D; missing values are null. */
export function parseFormD(xml: string): FormD {
  const found = new Map<string, string>()
  const path: string[] = []
  const parser = new Parser(
    {
      onopentag: (name) => void path.push(name.toLowerCase()),
      onclosetag: () => void path.pop(),
      ontext(text) {
        // The parent element distinguishes fields of the same name (of co-issuers, of persons).
        const key = path.slice(-2).join('/')
        found.set(key, (found.get(key) ?? '') + text)
      },
    },
    { xmlMode: true },
  )
  parser.end(toStorable(cutText(xml, 1_000_000)))
  const text = (key: string) => found.get(key)?.trim() || null
  const amount = (key: string) => {
    const value = Number(text(key) ?? Number.NaN)
    return value > 0 ? value : null
  }
  return {
    entity: text('primaryissuer/entityname'),
    states_sold: text('offeringsalesamounts/totalamountsold') !== null,
    industry: text('industrygroup/industrygrouptype'),
    sold: amount('offeringsalesamounts/totalamountsold'),
    offered: amount('offeringsalesamounts/totalofferingamount'),
    first_sale: parseDate(text('dateoffirstsale/value')),
    kinds: Object.entries(KINDS).flatMap(([mark, kind]) =>
      text(`typesofsecuritiesoffered/${mark}`) === 'true' ? [kind] : [],
    ),
    clarification: text('offeringsalesamounts/clarificationofresponse'),
    street: text('issueraddress/street1'),
    phone: text('primaryissuer/issuerphonenumber'),
  }
}

/** A fund collects money to invest it, so it is not a company that raised money. */
export function isPooledFund({ industry }: FormD): boolean {
  return industry === 'Pooled Investment Fund'
}

/** The content of the form in sentences. */
export function describeFormD(form: FormD, company: string): string {
  const { sold, offered, first_sale, kinds, clarification } = form
  const securities = kinds.length > 0 ? `${kinds.join(', ')} securities` : 'securities'
  const lines = [
    sold !== null
      ? `${company} raised ${formatDollars(sold)} in an exempt offering of ${securities}.`
      : `${company} gave notice of an exempt offering of ${securities}. Nothing was sold yet.`,
    offered !== null && offered !== sold ? `The offering is for ${formatDollars(offered)}.` : null,
    first_sale ? `The first sale was on ${first_sale}.` : null,
    clarification,
  ]
  return lines.filter((line) => line !== null).join('\n')
}

export function formatDollars(amount: number): string {
  return `$${amount.toLocaleString('en-US')}`
}
