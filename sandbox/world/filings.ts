import type { FilingSeed } from './types.ts'

export const FILINGS: readonly FilingSeed[] = [
  {
    domain: 'nimbrel.example',
    form: 'S-1',
    days: 21,
    event: 'nimbrel-ipo',
    tells: ['ipo'],
    text: `
REGISTRATION STATEMENT UNDER THE SECURITIES ACT OF 1933. Nimbrel, Inc.

This is an initial public offering of shares of Class A common stock of Nimbrel, Inc. Prior to this offering, there has been no public market for our Class A common stock. We have applied to list our Class A common stock on the New York Stock Exchange under the symbol "NMBR".

Our website address is www.nimbrel.example. The information on our website is not part of this prospectus.`,
  },
  {
    domain: 'stromavel.example',
    form: '8-K',
    days: 17,
    event: 'stromavel-cmo',
    tells: ['leadership_change'],
    text: `
Item 5.02 Departure of Directors or Certain Officers; Election of Directors; Appointment of Certain Officers; Compensatory Arrangements of Certain Officers.

On {date}, the Board of Directors of Stromavel Therapeutics, Inc. appointed Anand Krishnamurthy, M.D., age 52, as the Company's Chief Medical Officer, effective immediately. There are no family relationships between Dr. Krishnamurthy and any director or executive officer of the Company.`,
  },
  {
    domain: 'solvarra.example',
    form: 'D',
    days: 25,
    tells: ['funding'],
    offering: { sold: 75_000_000, first_sale: 8, industry: 'Other Energy' },
    text: `
FORM D. Notice of Exempt Offering of Securities. Issuer: Solvarra Energy, Inc. Industry group: Energy. Type of filing: New notice. Date of first sale: {date-8}. Type of securities offered: Equity.

Total offering amount: $75,000,000. Total amount sold: $75,000,000. Total remaining to be sold: $0. Total number of investors who already have invested in the offering: 14.`,
  },
  {
    domain: 'meltwick.example',
    form: '8-K',
    days: 6,
    tells: ['security_incident'],
    text: `
Item 1.05 Material Cybersecurity Incidents.

On {date-4}, Meltwick Stores, Inc. discovered that an unauthorized third party had gained access to its information systems. The Company took its systems for orders and payroll offline, engaged outside experts and informed law enforcement. Files with records of customers of its loyalty program were copied. Stores remained open and took cash only for three days.

The Company's website is www.meltwick.example.`,
  },
  {
    domain: 'penstave.example',
    form: 'D',
    days: 410,
    offering: { sold: 20_000_000, first_sale: 10, industry: 'Other Technology' },
    trap: { kind: 'old', signals: ['funding'], why: 'More than a year old.' },
    text: `
FORM D. Notice of Exempt Offering of Securities. Issuer: Penstave, Inc. Industry group: Other Technology. Type of filing: New notice. Date of first sale: {date-10}. Type of securities offered: Equity.

Total offering amount: $20,000,000. Total amount sold: $20,000,000. Total remaining to be sold: $0.`,
  },
]
