import type { CompanySeed } from './types.ts'

export const FINANCE: readonly CompanySeed[] = [
  {
    name: 'Penstave',
    domain: 'penstave.example',
    industry: 'Payments',
    country: 'United States',
    country_code: 'US',
    city: 'New York',
    employees: 310,
    founded_year: 2015,
    description: 'Penstave moves rent, dues and tuition from bank to bank.',
    boilerplate:
      'Penstave moves rent, dues and tuition directly from bank to bank. Four thousand landlords, associations and schools collect more than $9 billion a year with it.',
    site: { theme: 'next', team: 'list', feed: 'rss', caching: 'both', pricing: true, news: '/news' },
    people: `
Leonora Castelbaum, Chief Executive Officer [profile]
Jamal Whitfield, Chief Technology Officer [profile]
Rosie Tran, Chief Compliance Officer
Ezra Feinblatt, VP Partnerships [email, profile]`,
    cik: 9990044,
    articles: [
      {
        slug: 'state-university',
        days: 22,
        title: 'Three state universities go live with Penstave tuition payments',
        tells: ['customer_win'],
        text: `
NEW YORK, {date} -- Penstave announced today that Marlow State University, Eastern Plains University and the University of Tamarack have signed multi-year agreements and are live on its tuition platform. Together the three schools enroll 88,000 students.

Families can now pay tuition in installments from a bank account without a card fee. Marlow State alone expects to save students $3.1 million a year.

"We had a line out of the bursar's office every August," said Carolyn Beech, the university's treasurer. "This August we had two people, and one of them was lost."

Colleges pay card companies an estimated two to three percent of the tuition they collect, and most pass the fee on to families. With bank-to-bank payments the fee is a flat 95 cents.

"Schools are careful buyers, as they should be," said Leonora Castelbaum, Chief Executive Officer of Penstave.`,
      },
      {
        slug: 'partnership-lumen-credit-unions',
        days: 50,
        title: 'Penstave teams up with Commonfield Credit Unions',
        tells: ['partnership'],
        arguable: ['product_launch', 'customer_win'],
        text: `
NEW YORK, {date} -- Penstave and Commonfield, an alliance of 140 credit unions, today announced a partnership that lets members of any Commonfield credit union pay rent from their accounts on the day they are paid, with no overdraft.

Under the agreement Commonfield offers Penstave's service inside its members' app, and Penstave names Commonfield its preferred bank for landlords without one.

Commonfield's credit unions have 2.3 million members, many of them nurses, teachers and bus drivers who rent. A pilot with three credit unions in Pennsylvania has run since spring: late fees among those who took part fell by 61 percent. The service will reach all 140 credit unions over the coming months, state by state.

"Rent is due on the first and paychecks come on the fifth. Somebody had to do something about those four days," said Ezra Feinblatt, VP Partnerships at Penstave.`,
      },
      {
        slug: 'proxy-for-peers',
        days: 33,
        section: 'blog',
        title: 'What the wave of fintech listings means for landlords',
        trap: {
          kind: 'third_party',
          signals: ['ipo', 'acquisition'],
          why: 'Comment on other companies.',
        },
        text: `
Three payment companies have gone public since spring, and two more were bought by banks. Several customers have asked us what it means for them, so here is our two cents.

First, prices. Listed companies owe their shareholders margins. If your provider has just listed, read your contract’s clause on fee changes.

Second, support. After an acquisition the phone number usually survives a year.

Third, data. Ask where it goes. A bank that buys a rent platform does not do it for the logo.

As for us: we like being private and small enough that our compliance chief still answers tickets on Fridays.`,
      },
    ],
  },
  {
    name: 'Lumiria Bank',
    domain: 'lumiria-bank.example',
    industry: 'Banking',
    country: 'Lithuania',
    country_code: 'LT',
    city: 'Vilnius',
    employees: 950,
    founded_year: 1994,
    description: 'Lumiria Bank serves small companies and families in the Baltic states.',
    boilerplate:
      'Lumiria Bank serves 480,000 families and 39,000 small companies in Lithuania, Latvia and Estonia. It was founded in Vilnius in 1994.',
    site: { theme: 'wordpress', team: 'table', feed: 'rss', caching: 'modified', news: '/about-us/news' },
    people: `
Gintaras Vaitkus, Chief Executive Officer
Rūta Daukantaitė, Chief Risk Officer
Ieva Stankūnaitė, Chief Human Resources Officer [email]
Andris Kalniņš, Country Head Latvia`,
    wikidata: { id: 'Q999900007', employees: 930 },
    articles: [
      {
        slug: 'core-banking',
        days: 38,
        title: 'Lumiria Bank goes live on Kernstein core banking platform',
        tells: ['technology_adoption'],
        text: `
Vilnius, {date}. Over the past weekend Lumiria Bank moved 1.1 million accounts to the core banking platform of the Swiss vendor Kernstein. Cards and online banking were out of service for eleven hours, as announced, and back at five on Sunday afternoon.

The old system dated from 1997. It closed its books at night, and nothing else could happen meanwhile. On the new platform a loan approved at midnight is paid out at midnight.

Preparations had taken two and a half years. The weekend was rehearsed four times with copies of all accounts, the last time with invented calls from angry customers, for which the bank hired a theatre group.

“Two hundred colleagues slept in the office. I brought the cepelinai myself,” said Gintaras Vaitkus, Chief Executive Officer. “Kernstein sent forty people to Vilnius, and they stayed until the last account was right.”`,
      },
      {
        slug: 'jobs-in-kaunas',
        days: 57,
        title: 'Lumiria Bank creates 120 jobs in Kaunas',
        tells: ['hiring'],
        arguable: ['expansion'],
        text: `
Vilnius, {date}. Lumiria Bank is creating 120 new jobs in Kaunas. By next summer the bank will recruit software developers, anti-money-laundering analysts and customer advisers who speak Latvian or Estonian.

“Kaunas has five universities and, until now, too few reasons for graduates to stay,” said Ieva Stankūnaitė, Chief Human Resources Officer. Half of the positions are open to people without banking experience, who will be trained for four months on full pay.

The new colleagues will work in a former textile mill on the Nemunas, where the bank has rented two floors. A day nursery is on the ground floor. The bank employs 950 people today, most of them in Vilnius and Riga. Unemployment among graduates in Kaunas is almost twice as high as in the capital.

Applications are open as of today.`,
      },
    ],
  },
  {
    name: 'Askelund Insurance',
    domain: 'askelund.example',
    industry: 'Insurance',
    country: 'Denmark',
    country_code: 'DK',
    city: 'Odense',
    employees: 1100,
    founded_year: 1902,
    description: 'Askelund Insurance is a mutual insurer for farms and rural businesses.',
    boilerplate: 'Askelund Insurance is a mutual insurer owned by 160,000 farms and rural businesses in Denmark.',
    site: { theme: 'table', team: 'definitions', feed: 'rss', caching: 'none' },
    people: `
Karen-Margrethe Askelund, Chair
Søren Bundgaard, Interim Chief Executive Officer
Dorthe Wissing, Chief Underwriting Officer`,
    articles: [
      {
        slug: 'chief-executive-steps-down',
        days: 5,
        title: 'Chief Executive Lars Tofte steps down',
        event: 'askelund-ceo',
        tells: ['leadership_change'],
        text: `
Odense, {date}. Lars Tofte, Chief Executive Officer of Askelund Insurance since {year-7}, is leaving the company with immediate effect. The board and Tofte agree that the next stage of the mutual’s transformation should be led by someone new.

Søren Bundgaard, Chief Financial Officer, takes over as interim Chief Executive. The search for a permanent successor has begun and is expected to take until summer.

Tofte, 58, came to Askelund from a pension company and led the mutual through the introduction of new claims software and the floods of two consecutive winters. He holds no other office in the group and will be available to his successor for questions until spring. The mutual’s figures for the third quarter will be published on {date+20} as planned.

“Lars leaves us a company that has paid every claim of two very wet years. We thank him,” said Karen-Margrethe Askelund, Chair.`,
      },
      {
        slug: 'branch-offices',
        days: 43,
        title: 'Askelund closes nine branch offices',
        tells: ['layoffs'],
        text: `
Odense, {date}. Askelund Insurance will close nine of its 22 branch offices on {date+60}. Ninety-four employees will lose their jobs; another thirty will move to the customer centre in Odense.

Members have taken to the telephone and the app: in some branches fewer than three people came in on an average day last year. Claims inspectors will continue to visit farms in all parts of the country.

The offices concerned are in Skive, Ringe, Nakskov, Tønder, Hobro, Assens, Lemvig, Faaborg and Nykøbing. A social plan has been agreed with the union: those who leave receive up to twelve months of pay, depending on their years of service, and help with training.

“We know what a branch means to a small town,” said Dorthe Wissing, who is responsible for the network. “We kept them open longer than the numbers allowed.”`,
      },
      {
        slug: 'farm-safety-week',
        days: 15,
        title: 'Farm Safety Week: clean tanks save lives',
        text: `
Odense, {date}. Every year people die in slurry tanks. Almost always it is two: the one who fell, and the one who wanted to help. During Farm Safety Week our inspectors visit schools and machine rings with a gas detector and a simple message: nobody goes in alone.

Three rules hang on the door of every farm we insure. Measure before you open. Ventilate for half an hour. Tie yourself to someone who stays outside.

Posters can be ordered free of charge from any branch.`,
      },
    ],
  },
  {
    name: 'Finbarrow',
    domain: 'finbarrow.example',
    industry: 'Fintech',
    country: 'Ireland',
    country_code: 'IE',
    city: 'Cork',
    employees: 205,
    founded_year: 2016,
    description: 'Finbarrow lends to small exporters against their invoices.',
    boilerplate:
      'Finbarrow lends to small exporters against their invoices. It is based in Cork and regulated in Ireland.',
    site: { theme: 'static', team: 'title-first', feed: 'rss', caching: 'both' },
    people: `
Fionnuala Creedon, Chief Executive Officer [profile]
Declan Mawhinney, Chief Credit Officer [profile]
Aoife Brosnan, Head of Growth [email, profile]`,
    articles: [
      {
        slug: 'on-the-speculation',
        days: 11,
        title: 'Finbarrow responds to speculation about a listing',
        trap: {
          kind: 'denial',
          signals: ['ipo', 'acquisition'],
          why: 'The company rules out both.',
        },
        text: `
Cork, {date}. Finbarrow notes the reports this week about a possible flotation in Dublin or a sale to a British bank.

There is no truth in either. The company is not working on a flotation, is not in talks about a sale, and is well capitalised for the years ahead.

“I was asked about it at the petrol station, so I thought I had better say something,” said Fionnuala Creedon, Chief Executive Officer.`,
      },
      {
        slug: 'export-lines',
        days: 53,
        title: 'Finbarrow launches currency lines for small exporters',
        tells: ['product_launch'],
        text: `
Cork, {date}. Small exporters can now fix their exchange rate on the day they send an invoice. Finbarrow today launched Currency Lines, a product that pays out in euro against invoices in dollars, sterling or Swiss francs and carries the currency risk until the customer pays.

Currency Lines is open to all Finbarrow clients in Ireland and the Netherlands from today. A client applies once; after that each invoice takes a few seconds.

“A cheesemaker in Clonakilty should not have to watch the dollar before she goes to bed,” said Aoife Brosnan, Head of Growth.

More than half of all Irish companies with fewer than fifty employees that export are paid in a currency other than their own, and few of them hedge. Banks usually ask for minimum sums they never reach.

During a pilot with 85 exporters the average invoice was paid out within four hours.`,
      },
    ],
  },
]
