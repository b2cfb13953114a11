/** The knowledge base of an invented vendor of business software, as an example for each kind of section. */
export const KNOWLEDGE_BASE = [
  {
    type: 'overview',
    title: 'About us',
    content_md: `We make software that connects the finance, order and stock systems of mid-sized companies.`,
  },
  {
    type: 'product',
    title: 'What we offer',
    content_md: `- Our connectors link more than 60 finance, order and warehouse systems without code.
- Our group report shows the figures of all sites and subsidiaries in one currency every morning.
- Our audit log records who changed which figure, when and why.`,
  },
  {
    type: 'value_prop',
    title: 'What we bring, by situation',
    content_md: `- We bring the figures of a new site into the group report within four weeks of its opening.
- We consolidate an acquired company's books from the first month, before its systems are replaced.
- We show a growing company its cash, orders and burn every morning, so that its board pack is ready in two hours.
- We give new leaders an overview of every site in their first 30 days, from the systems that are already there.
- We connect a new platform with the systems around it within six weeks, without a project team of your own.
- We get new colleagues up to speed in two days, because every figure explains where it comes from.
- We show what a newly launched product earns and costs from its first order.
- We exchange orders and stock with the systems of a partner within three weeks.
- We keep service levels visible when volumes from new customers arrive, order by order.
- We help finance do the month's close with the same team and fewer hours.
- We keep an audit trail that a public company's controls can rest on.
- We restore a consistent set of books within a day after its systems have been recovered.`,
  },
  {
    type: 'icp',
    title: 'Who we sell to',
    content_md: `- Manufacturers, logistics companies and software vendors in Europe and North America
- 50 to 5,000 employees
- Personas: Chief Financial Officer, Chief Operating Officer, Chief Technology Officer`,
  },
  {
    type: 'custom',
    title: 'Customers',
    content_md: `- Brackwater Foods connected three new sites with us in one year.
- Osterley Parts closes its month in four days instead of eleven.
- Tamsin Freight moved two acquired carriers into one report in five weeks.
- Orrel Software cut the work on its board pack from three days to two hours.
- Penmarrick Energy connected a new platform with nine older systems in five weeks.
- Calder Clinics gave its new leaders an overview of twelve sites in 30 days.
- Lindmoor Tools kept its service levels while order volumes doubled.
- Averley Apps has new colleagues working with its figures on their second day.
- Sorrel Instruments saw the margin of its new product in the first month after the launch.
- Harrowgate Foods shares orders and stock with eleven partners through one connection.`,
  },
  {
    type: 'pricing',
    title: 'Pricing',
    content_md: `- From $1,900 a month for two connected systems, $350 for each further one. Billed yearly.
- No discount below three years; a pilot of six weeks is free and ends by itself.`,
  },
  {
    type: 'competitor',
    title: 'Whom we meet in deals',
    content_md: `- Ledgerforge: strong in one ERP, needs consultants for a second. Ask how many systems the group runs.
- Spreadsheets: free until somebody leaves. Ask who can explain last month's figures.`,
  },
  {
    type: 'custom',
    title: 'Objections (internal)',
    content_md: `- "We are about to replace our ERP": good, we connect the old and the new one while both run.
- "IT has no time": the connectors need read access and two hours, no project.`,
  },
]

/** The profile of the same vendor, for `PATCH /v1/company-profile`; the proofs are the customers of the knowledge base. */
export const COMPANY_PROFILE = {
  name: 'Quayline',
  products: ['Quayline Connect', 'Quayline Group Report'],
  proofs: [
    {
      customer: 'Brackwater Foods',
      result: 'connected three new sites in one year',
      industry: 'Food, beverages, agriculture and retail',
      min_employees: 200,
      max_employees: 5_000,
    },
    {
      customer: 'Osterley Parts',
      result: 'closes its month in four days instead of eleven',
      industry: 'Manufacturing, machinery, electronics, robotics and construction',
      min_employees: 100,
      max_employees: 2_000,
    },
    {
      customer: 'Tamsin Freight',
      result: 'moved two acquired carriers into one report in five weeks',
      industry: 'Logistics, transport, shipping and cargo',
      min_employees: 100,
      max_employees: 3_000,
    },
    {
      customer: 'Orrel Software',
      result: 'cut the work on its board pack from three days to two hours',
      industry: 'Software, payments and IT services',
      min_employees: 30,
      max_employees: 800,
    },
    {
      customer: 'Penmarrick Energy',
      result: 'connected a new platform with nine older systems in five weeks',
      industry: 'Energy, batteries and telecommunications',
      min_employees: 200,
      max_employees: 5_000,
    },
    {
      customer: 'Calder Clinics',
      result: 'gave its new leaders an overview of twelve sites in 30 days',
      industry: 'Healthcare, medical devices, biotechnology and education',
      min_employees: 50,
      max_employees: 3_000,
    },
    {
      customer: 'Lindmoor Tools',
      result: 'kept its service levels while order volumes doubled',
      industry: null,
      min_employees: null,
      max_employees: null,
    },
    {
      customer: 'Averley Apps',
      result: 'has new colleagues working with its figures on their second day',
      industry: null,
      min_employees: null,
      max_employees: null,
    },
    {
      customer: 'Sorrel Instruments',
      result: 'saw the margin of its new product in the first month after the launch',
      industry: null,
      min_employees: null,
      max_employees: null,
    },
    {
      customer: 'Harrowgate Foods',
      result: 'shares orders and stock with eleven partners through one connection',
      industry: null,
      min_employees: null,
      max_employees: null,
    },
  ],
}

/** Who writes the drafts of the demo, for `PATCH /v1/me/profile`. */
export const MEMBER_PROFILE = { name: 'Dana Whitfield', job_title: 'Account Executive', tone: 'brief' }
