import type { CompanySeed } from './types.ts'

export const BUSINESS_SOFTWARE: readonly CompanySeed[] = [
  {
    name: 'Ledgermoor',
    domain: 'ledgermoor.example',
    industry: 'Financial software',
    country: 'United Kingdom',
    country_code: 'GB',
    city: 'London',
    employees: 400,
    founded_year: 2011,
    description: 'Ledgermoor is accounting software for groups with many companies.',
    boilerplate:
      'Ledgermoor helps finance teams of groups with many legal entities close their books in days. More than 2,800 groups in 40 countries use it. Ledgermoor is privately held and based in London.',
    site: { theme: 'wordpress', team: 'elementor', feed: 'rss', caching: 'both', pricing: true, news: '/newsroom' },
    people: `
Philippa Ravenscroft, Chief Executive Officer [profile]
Adebayo Ogunlesi-Hart, Chief Financial Officer [profile]
Conor Tiernan, Chief Technology Officer [profile]
Yasmin Farouki, Chief Revenue Officer [email, profile]
Gwen Pritchard, VP Customer Success [profile]
Rhys Bevington, Director of Product Marketing [email]`,
    wikidata: { id: 'Q999900003', employees: 390 },
    articles: [
      {
        slug: 'tallyforge',
        days: 9,
        title: 'Ledgermoor to acquire Tallyforge, bringing reconciliation into the group close',
        event: 'ledgermoor-tallyforge',
        tells: ['acquisition'],
        text: `
London, {date}. Ledgermoor has signed an agreement to buy Tallyforge, the Dublin company whose software matches bank lines, invoices and intercompany balances without rules. Terms were not disclosed. Both boards have approved the transaction, which is expected to close before the end of {month+30}.

Reconciliation is where most group closes lose their time. Ledgermoor customers spend, on average, three of their five closing days finding out why two subsidiaries disagree. Tallyforge cuts that work to hours, and about sixty companies already run the two products side by side.

“Our customers did the integration before we did,” said Philippa Ravenscroft, Chief Executive Officer of Ledgermoor. “When the same three consultants wire your product to somebody else’s every month, you should listen.”

All 38 Tallyforge employees will join Ledgermoor. Founder Niamh Gallaher will lead the reconciliation team from Dublin, and the Tallyforge product will go on being sold under its own name.`,
      },
      {
        slug: 'cfo',
        days: 34,
        title: 'Adebayo Ogunlesi-Hart joins Ledgermoor as Chief Financial Officer',
        tells: ['leadership_change'],
        text: `
London, {date}. Ledgermoor today named Adebayo Ogunlesi-Hart its Chief Financial Officer. He starts on {date+14} and will sit on the executive committee.

Ogunlesi-Hart spent nine years at a listed payments group, the last four as deputy finance director, and began his career as an auditor in Lagos and Manchester. He succeeds Martin Clewes, who is leaving after seven years to teach.

“I was a customer before I was a candidate,” said Ogunlesi-Hart. “I have closed a group of 61 companies with spreadsheets and I have closed it with Ledgermoor, and I know which one my family preferred.”

“Ade asks the question after the question,” said Philippa Ravenscroft. “Martin built a finance team we are all proud of. He leaves it in very good hands.”`,
      },
      {
        slug: 'close-awards',
        days: 41,
        title: 'Ledgermoor named a Leader in the Finance Close Grid for the fifth year running',
        trap: {
          kind: 'award',
          signals: ['product_launch', 'customer_win', 'partnership'],
          why: 'An award, with the usual praise of products, customers and partners.',
        },
        text: `
London, {date}. Ledgermoor has again been placed among the Leaders in the annual Finance Close Grid, an independent survey of 1,900 finance professionals. It is the fifth year in a row.

Reviewers praised the breadth of the product, the depth of its partner network and the trust that leading groups in retail, shipping and insurance place in it. “Innovative, and their people pick up the phone,” wrote one group controller.

“Awards come from customers, so this belongs to them,” said Gwen Pritchard, VP Customer Success.

The full report can be downloaded free of charge after registration.`,
      },
    ],
  },
  {
    name: 'Tallyforge',
    domain: 'tallyforge.example',
    industry: 'Financial software',
    country: 'Ireland',
    country_code: 'IE',
    city: 'Dublin',
    employees: 38,
    founded_year: 2019,
    description: 'Tallyforge reconciles bank lines, invoices and intercompany balances without rules.',
    boilerplate: 'Tallyforge makes reconciliation software for finance teams. It was founded in Dublin in 2019.',
    site: { theme: 'next', team: 'profiles', feed: 'atom', caching: 'etag', blog: true, pricing: true },
    people: `
Niamh Gallaher, Founder and Chief Executive Officer [email, profile]
Eoin Lafferty, Head of Engineering [profile]
Saoirse Dunleavy, Head of Customer Operations [profile]`,
    articles: [
      {
        slug: 'joining-ledgermoor',
        days: 9,
        title: 'We are joining Ledgermoor',
        event: 'ledgermoor-tallyforge',
        tells: ['acquisition'],
        text: `
Dublin, {date}. I have news that I have been bursting to share. Today we signed an agreement under which Tallyforge will be acquired by Ledgermoor, the group-accounting company in London that many of you already use alongside us.

Five years ago four of us sat in a kitchen in Phibsborough with an idea: matching should not need rules. Since then 310 finance teams have trusted us with their month-end. Joining Ledgermoor lets us bring that to ten times as many people.

What changes for customers? Nothing in your contract, nothing in your price, and the people who answer your emails stay the same. All of us are going across, and our office on the canal stays open. The deal is due to complete by the end of {month+30}.

Thank you to everyone who took a chance on us when we were a login page and a promise.

Niamh Gallaher, founder`,
      },
      {
        slug: 'three-way-matching-explained',
        days: 80,
        section: 'blog',
        title: 'Three-way matching, explained with sandwiches',
        text: `
Suppose you order forty sandwiches for a meeting. The caterer confirms forty, delivers thirty-eight, and sends an invoice for forty. Three documents, two numbers, one hungry colleague.

Three-way matching is the habit of putting the order, the delivery note and the invoice next to each other before you pay. With sandwiches it is easy. With eleven thousand lines a month from ninety suppliers it is a department.

The usual answer is rules: if the amounts differ by less than one per cent, let it pass. Rules work until someone writes the two hundredth one and nobody remembers the first. We think a better answer is to look at how your own team decided the last ten thousand cases, and to show the reasons.`,
      },
    ],
  },
  {
    name: 'Quillstack',
    domain: 'quillstack.example',
    industry: 'Software',
    country: 'United States',
    country_code: 'US',
    city: 'Austin',
    employees: 180,
    founded_year: 2017,
    description: 'Quillstack is contract software that legal and sales teams share.',
    boilerplate:
      'Quillstack is the contract platform that legal and sales teams share. From first draft to renewal, more than 900 companies run their agreements on Quillstack. The company is based in Austin, Texas.',
    site: { theme: 'next', team: 'soup', feed: 'rss', caching: 'none', pricing: true, blog: true },
    people: `
Marisol Treviño, Co-founder and CEO [profile]
Dev Raghunathan, Co-founder and CTO [profile]
Kendra Blaylock, Chief Marketing Officer [profile]
Tyler Osgood, VP of Sales [profile]
Amara Nwosu-Lind, General Counsel
Beth Kowalczyk, Director of Revenue Operations [email]`,
    board: {
      vendor: 'lever',
      openings: `
Enterprise Account Executive, Sales, 4
Staff Backend Engineer, Engineering, 8
Product Designer, Design, 10
Solutions Consultant, Sales, 15
Legal Engineer, Customer Success, 19`,
    },
    articles: [
      {
        slug: 'quillstack-negotiate',
        days: 7,
        title: 'Quillstack launches Negotiate, a workspace where both sides redline together',
        event: 'quillstack-negotiate',
        tells: ['product_launch'],
        text: `
AUSTIN, Texas, {date} -- Quillstack today launched Negotiate, a shared workspace in which both parties to a contract can mark it up at the same time. Negotiate is available to all customers on the Team and Enterprise plans starting today, at no extra cost.

Redlining by email has not changed since the nineties: a document goes out, comes back under a new name, and someone compares versions at midnight. In Negotiate there is one document. Each side sees its own private comments, and a clause turns green when both have accepted it.

In a beta with 74 customers, the median contract was signed in 6 days instead of 15.

"Lawyers told us they would never let the other side into their workspace," said Marisol Treviño, co-founder and CEO. "Then they saw that the other side stops sending them files called final_v7_REAL."

Negotiate works in the browser and in Microsoft Word through an add-in. A guest from the other party needs no account.`,
      },
      {
        slug: 'how-brightfen-cut-contract-time',
        days: 30,
        section: 'blog',
        title: 'Customer story: how a growing clinic group keeps up with its own contracts',
        trap: {
          kind: 'third_party',
          signals: ['acquisition', 'expansion', 'leadership_change'],
          why: 'The events are the customer’s, told on the vendor’s blog.',
        },
        text: `
When Brightfen Clinics bought two physiotherapy chains in one summer, its legal team of four inherited 3,100 contracts, most of them on paper.

“We opened eleven new sites that year and hired a new operations director, and every one of those things came with a stack of agreements,” says Joanna Thistlewood, the group’s legal director. “I could tell you what we had promised to whom, but only if you gave me a week.”

Today those contracts live in Quillstack. Renewals show up ninety days ahead, and landlords’ notices no longer get lost in a regional manager’s inbox.

Thistlewood’s advice to others? “Scan the leases first. The leases are always where it hurts.”`,
      },
      {
        slug: 'a-note-on-the-market',
        days: 55,
        section: 'blog',
        title: 'A note from Marisol on the noise in our market',
        trap: {
          kind: 'denial',
          signals: ['acquisition', 'layoffs'],
          why: 'The chief executive denies both.',
        },
        text: `
You may have read last week that we are for sale. We are not. Nobody has made an offer, we have not hired a bank, and I have not had the lunch that the article describes, although the restaurant sounds nice.

You may also have heard from a competitor’s rep that we are laying people off. Also untrue. Nobody has been let go and no cuts are planned.

What is true is that our market is noisy this year. Two of our competitors merged in the spring and a third cut a quarter of its staff. When the neighbors’ house is on fire people ask about yours, and that is fair.

So ask. My address is at the bottom of this page and I answer it myself.`,
      },
    ],
  },
  {
    name: 'Nimbrel',
    domain: 'nimbrel.example',
    industry: 'Cloud software',
    country: 'United States',
    country_code: 'US',
    city: 'Seattle',
    employees: 1250,
    founded_year: 2012,
    description: 'Nimbrel is a cloud cost platform for large engineering organizations.',
    boilerplate:
      'Nimbrel shows engineering organizations what their cloud costs and why. The platform watches more than 9 billion dollars of yearly cloud spend for 1,100 customers. Nimbrel is headquartered in Seattle.',
    site: { theme: 'semantic', team: 'json-ld', feed: 'rss', caching: 'both', pricing: true, news: '/company/news' },
    people: `
Harlan Achterberg, Chief Executive Officer [profile]
Lucinda Yoon, Chief Financial Officer [profile]
Obinna Ekwueme, Chief Product Officer [profile]
Sarah Mendelow, Chief People Officer [profile]
Graham Teller, SVP Worldwide Sales [profile]`,
    cik: 9990010,
    wikidata: { id: 'Q999900004', employees: 1200 },
    articles: [
      {
        slug: 's-1-filing',
        days: 21,
        title: 'Nimbrel files registration statement for proposed initial public offering',
        event: 'nimbrel-ipo',
        tells: ['ipo'],
        text: `
SEATTLE, {date} -- Nimbrel, Inc. today announced that it has publicly filed a registration statement on Form S-1 with the U.S. Securities and Exchange Commission relating to a proposed initial public offering of its Class A common stock. The number of shares to be offered and the price range have not yet been determined. Nimbrel has applied to list its Class A common stock on the New York Stock Exchange under the symbol "NMBR".

Calloway & Reed and Harrow Street Securities will act as lead book-running managers for the proposed offering.

The proposed offering will be made only by means of a prospectus. When available, copies of the preliminary prospectus may be obtained from Calloway & Reed, Prospectus Department.

A registration statement relating to these securities has been filed with the Securities and Exchange Commission but has not yet become effective. These securities may not be sold, nor may offers to buy be accepted, before the time the registration statement becomes effective.`,
      },
      {
        slug: 'chief-product-officer',
        days: 65,
        title: 'Nimbrel promotes Obinna Ekwueme to Chief Product Officer',
        tells: ['leadership_change'],
        text: `
SEATTLE, {date} -- Nimbrel today announced the promotion of Obinna Ekwueme to Chief Product Officer, effective immediately. Ekwueme, who joined Nimbrel in {year-6} as its eleventh engineer, most recently led the forecasting group.

"Obinna wrote the first version of the feature that half of our customers name when we ask why they stay," said Harlan Achterberg, Chief Executive Officer.

Ekwueme takes over from Dana Whitlock, who will remain with the company as an adviser until the end of the year.

Ekwueme grew up in Enugu and studied electrical engineering there and in Toronto. Before Nimbrel he wrote billing software for a mobile operator, "which is where I learned that people forgive a high bill sooner than a surprising one," he said.

In his new role he will be responsible for product management, design and research, a team of about 160 people in Seattle and Kraków.`,
      },
    ],
  },
  {
    name: 'Orbiquant',
    domain: 'orbiquant.example',
    industry: 'IT services',
    country: 'India',
    country_code: 'IN',
    city: 'Bengaluru',
    employees: 820,
    founded_year: 2009,
    description: 'Orbiquant builds and runs data platforms for banks and insurers.',
    boilerplate:
      'Orbiquant builds and runs data platforms for banks and insurers in Asia, Europe and the Middle East. Founded in 2009, the company is headquartered in Bengaluru.',
    site: { theme: 'wordpress', team: 'headings', feed: 'rss-full', caching: 'modified' },
    people: `
Raghav Subramaniam, Chief Executive Officer [profile]
Meenal Deshpande, Chief Operating Officer [profile]
Farhan Qureshi, Head of Delivery Europe
Lakshmi Venkatraman, Head of Talent [email]`,
    articles: [
      {
        slug: 'hyderabad-campus-hiring',
        days: 23,
        title: 'Orbiquant to hire 300 engineers for its new Hyderabad centre',
        tells: ['hiring', 'expansion'],
        text: `
Bengaluru, {date}: Orbiquant today inaugurated its second development centre in India, on two floors of a business park in Hyderabad’s Financial District, and said it will recruit 300 engineers there over the next twelve months.

The first 45 people have already moved in. The company is looking for data engineers, testers and site-reliability engineers with two to eight years of experience, and will hold walk-in interviews on the last Saturday of every month.

“Bengaluru remains home, but talent does not sit in one city,” said Raghav Subramaniam, Chief Executive Officer. “Many of our people come from Telangana and Andhra. Now they can work twenty minutes from their parents.”

“We will take one hundred fresh graduates as well,” added Lakshmi Venkatraman, Head of Talent. “They get six months of training before they touch a customer’s data.”

Interested candidates can write to the talent team at the address on our careers page.`,
      },
      {
        slug: 'lumiria-bank-platform',
        days: 48,
        title: 'Lumiria Bank picks Orbiquant to build its risk data platform',
        event: 'lumiria-risk-platform',
        tells: ['customer_win'],
        text: `
Bengaluru and Vilnius, {date}: Orbiquant has been selected by Lumiria Bank to build and operate the bank’s new risk data platform. The contract runs for four years.

The platform will bring together data from eleven systems, so that the bank can answer questions from its supervisor within a day instead of a fortnight. A team of thirty from Orbiquant will work with the bank in Vilnius and Bengaluru.

“We asked six firms to rebuild one report with our own data in two weeks. Orbiquant’s was the only one whose numbers added up,” said Rūta Daukantaitė, Chief Risk Officer of Lumiria Bank.

“Banks in the Baltics expect plain speaking and short meetings,” said Farhan Qureshi, who heads Orbiquant’s European delivery. “We felt at home at once.”`,
      },
    ],
  },
]
