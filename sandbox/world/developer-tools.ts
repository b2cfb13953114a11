import type { CompanySeed } from './types.ts'

export const DEVELOPER_TOOLS: readonly CompanySeed[] = [
  {
    name: 'Verrano',
    domain: 'verrano.example',
    industry: 'Software',
    country: 'Spain',
    country_code: 'ES',
    city: 'Barcelona',
    employees: 95,
    founded_year: 2018,
    description: 'Verrano tests mobile apps on real devices in the cloud.',
    boilerplate:
      'Verrano lets developers test mobile apps on 3,000 real devices from a browser. It is used by more than 600 app teams and is based in Barcelona.',
    site: { theme: 'next', team: 'microdata', feed: 'json', caching: 'etag', pricing: true },
    people: `
Clara Montcada, Chief Executive Officer [profile]
Pol Ferrer-Vidal, Chief Technology Officer [profile]
Itziar Goikoetxea, Head of Marketing [email, profile]
Nuno Salgueiro, Partnerships Manager [email]`,
    board: {
      vendor: 'ashby',
      openings: `
Device Lab Engineer, Infrastructure, 5
Frontend Engineer, Product, 12
Developer Advocate, Marketing, 17
Customer Support Engineer, Support, 22
Account Manager DACH, Sales, 29`,
    },
    articles: [
      {
        slug: 'fathomly-integration',
        days: 14,
        title: 'Verrano and Fathomly partner to connect device tests with crash reports',
        event: 'verrano-fathomly',
        tells: ['partnership'],
        arguable: ['product_launch'],
        text: `
Barcelona, {date} – Verrano and Fathomly announced a technology partnership that links what goes wrong on users’ phones to a device on which developers can see it go wrong again.

With the joint integration, a crash collected by Fathomly carries a button that opens the same phone model, with the same system version and language, in Verrano’s cloud. Developers reach the broken screen in seconds. The integration was built by both companies and is free for their common customers.

“Half of our support tickets begin with the words ‘we cannot reproduce’,” said Clara Montcada, Chief Executive Officer of Verrano. “Fathomly knows the phone. We have the phone. It was silly to keep the two apart.”

The two companies will also run a series of workshops for app teams in Barcelona, Berlin and Toronto.`,
      },
      {
        slug: 'from-our-investor',
        days: 75,
        title: 'Congratulations to our friends at Miralta Ventures',
        trap: {
          kind: 'fund',
          signals: ['funding', 'leadership_change'],
          why: 'An investor closes its own fund and promotes its own partner.',
        },
        text: `
Barcelona, {date} – A little applause for the people who believed in us first. Miralta Ventures, which has been at our side since our seed round in {year-6}, has closed its third fund at €120 million and promoted Aina Casanovas to general partner.

Miralta Seed Fund III will back software founders in southern Europe with first cheques between half a million and three million euros.

Aina was the one who picked up the phone when our first device rack caught fire. We could not be happier for her.`,
      },
    ],
  },
  {
    name: 'Fathomly',
    domain: 'fathomly.example',
    industry: 'Software',
    country: 'Canada',
    country_code: 'CA',
    city: 'Toronto',
    employees: 60,
    founded_year: 2020,
    description: 'Fathomly collects and explains crashes of mobile apps.',
    boilerplate: 'Fathomly collects crashes of mobile apps and explains them in plain words. Based in Toronto.',
    site: { theme: 'static', team: 'bold', feed: 'atom', caching: 'etag', blog: true, pricing: true },
    people: `
Priyanka Lalvani, CEO & co-founder [profile]
Étienne Beaulac, CTO & co-founder [profile]
Monique Dufresne, Head of Design
Jared Whitecloud, Developer Relations Lead [email, profile]`,
    articles: [
      {
        slug: 'verrano',
        days: 14,
        title: 'See the crash on the very same phone: our partnership with Verrano',
        event: 'verrano-fathomly',
        tells: ['partnership'],
        arguable: ['product_launch'],
        text: `
Toronto, {date}. Today we are announcing a partnership with Verrano, the Barcelona company with three thousand real phones in racks.

From now on every crash in Fathomly has an "Open device" button. It takes you to the same model, the same system version and the same language in Verrano’s cloud, with your app installed. Our mutual customers can switch it on under Settings, Integrations.

Why Verrano? Because they test on real hardware. We tried emulators first and, in our own data, one crash in five never happened there.

If you are new here: Fathomly collects crashes from iOS and Android apps, groups them by cause and explains them in words a product manager can read. About nine hundred teams send us theirs. Roughly one in six of those teams told us in a survey last spring that they also rent devices from Verrano, and most of them copied model names from one browser tab to the other by hand.

We will be on the road together: Toronto on {date+20}, Berlin and Barcelona later in the year.`,
      },
      {
        slug: 'fathomly-for-desktop',
        days: 39,
        title: 'Fathomly now works for desktop apps',
        tells: ['product_launch'],
        text: `
Toronto, {date}. Fathomly for Desktop is out of beta and generally available as of today. It brings crash collection and plain-language explanations to apps for Windows, macOS and Linux.

Desktop was the most requested item on our public board for two years. It took us that long because desktop programs crash differently: drivers, antivirus software and 2014 graphics cards have opinions of their own. The new release reads minidumps on the user’s machine, strips everything personal, and sends only what is needed to group and explain the crash.

"I have waited for this since the day I joined," said Jared Whitecloud, who runs developer relations. "My first question at every meetup was: mobile only?"

A few things are not there yet. We do not read crashes of kernel drivers, and programs written in Delphi come out looking stranger than they are. Both are on the public board.

Existing plans include desktop apps. There is nothing to upgrade.`,
      },
      {
        slug: 'an-open-letter-about-the-breach-at-logpile',
        days: 46,
        section: 'blog',
        title: 'What the breach at a logging vendor taught us',
        trap: {
          kind: 'third_party',
          signals: ['security_incident'],
          why: 'Another company was attacked; this one tells what it learned.',
        },
        text: `
Last month a logging vendor that many of our readers use was broken into. Attackers took access tokens of some eight thousand customers. We were not affected, we are not a customer, and no Fathomly data was touched. We still spent a week going through our own house.

What we looked at: which tokens live longer than a day (too many), who can read crash attachments (fewer people than we feared), and how fast we could rotate everything (four hours; we want one).

If your company was hit, our sympathy. If it was not, borrow our checklist.`,
      },
    ],
  },
  {
    name: 'Corvane',
    domain: 'corvane.example',
    industry: 'Mobility software',
    country: 'Netherlands',
    country_code: 'NL',
    city: 'Amsterdam',
    employees: 70,
    founded_year: 2015,
    description: 'Corvane plans routes for municipal fleets, from refuse trucks to gritters.',
    boilerplate:
      'Corvane plans the routes of municipal fleets. Sixty cities in the Netherlands, Belgium and Germany use its software. Corvane is based in Amsterdam.',
    site: { theme: 'semantic', team: 'figures', feed: 'rss', caching: 'both' },
    people: `
Wouter Steenbergen, Chief Executive Officer [profile]
Floor van Raalte, Chief Technology Officer [email]
Jasmijn Koster, Head of Implementation
Bram Oudekerk, Sales Lead Belgium [email, profile]`,
    articles: [
      {
        slug: 'moving-to-openstratus',
        days: 31,
        title: 'Corvane moves its planning platform to OpenStratus Cloud',
        tells: ['technology_adoption'],
        arguable: ['partnership'],
        text: `
Amsterdam, {date} – Corvane has completed the migration of its route-planning platform to OpenStratus Cloud, the European cloud provider. The last of sixty municipal customers was moved over the weekend.

Cities increasingly ask that data about their citizens’ streets and bins stay under European law. Corvane chose OpenStratus after comparing five providers on price, location and the time it takes to compute a winter-service plan for a city of half a million.

“A gritting plan has to be ready before the frost is,” said Floor van Raalte, Chief Technology Officer. “On the new platform we compute the plan for Rotterdam in 70 seconds. In the old data centre it took nine minutes.”

The move took seven months. Corvane now also uses OpenStratus’s managed database and its key-management service.`,
      },
      {
        slug: 'not-that-corvane',
        days: 20,
        title: 'A word to everyone who congratulated us this week',
        trap: {
          kind: 'namesake',
          signals: ['funding', 'acquisition'],
          why: 'The news is of Corvane Capital, another company.',
        },
        text: `
Amsterdam, {date} – Our inbox has been full of congratulations since {weekday}. Thank you, but they belong to somebody else. Corvane Capital, an investment firm in Edinburgh that has nothing to do with us beyond seven letters, announced that it has closed a new fund and bought a majority of a care-home group.

We plan routes for refuse trucks. We have not raised money, we have not bought anybody, and we know very little about care homes.

If you meant to write to them, their address ends in capital.`,
      },
    ],
  },
  {
    name: 'Corvane Capital',
    domain: 'corvane-capital.example',
    industry: 'Investment management',
    country: 'United Kingdom',
    country_code: 'GB',
    city: 'Edinburgh',
    employees: 45,
    founded_year: 2003,
    description: 'Corvane Capital invests in family-owned service companies in Britain and Ireland.',
    boilerplate:
      'Corvane Capital is a private investment firm in Edinburgh. It has invested in 34 family-owned service companies since 2003.',
    site: { theme: 'table', team: 'title-first', feed: null, caching: 'modified', json_ld: false, news: '/news' },
    people: `
Alasdair Corvane, Managing Partner
Fenella Drummond, Partner
Kit Balfour, Investment Director [email]`,
    articles: [
      {
        slug: 'fund-five',
        days: 22,
        title: 'Corvane Capital closes Fund V at £310 million',
        // Money of others, raised by the manager and not for it.
        arguable: ['funding'],
        text: `
Edinburgh, {date}. Corvane Capital has held the final close of Corvane Growth Fund V at its hard cap of £310 million. The fund was oversubscribed. Investors include pension schemes, university endowments and family offices, most of which were also in earlier funds.

Fund V will invest between £10 million and £30 million in service companies whose founders are looking for a partner rather than an exit.

“We go on doing what we did with the first four,” said Alasdair Corvane, Managing Partner. “We buy slowly, and we read the leases.”`,
      },
      {
        slug: 'larchmere-care',
        days: 24,
        title: 'Corvane Capital takes majority stake in Larchmere Care',
        tells: ['acquisition'],
        text: `
Edinburgh, {date}. Corvane Capital has acquired 72 per cent of Larchmere Care, which runs nineteen care homes in Scotland and the north of England. The remaining shares stay with the Henshaw family, who founded Larchmere in 1986. The price was not disclosed.

Ruth Henshaw goes on as managing director. “We spoke to seven firms. Corvane’s people were the only ones who asked to have lunch with the residents,” she said.

Larchmere looks after some 900 residents and employs 1,150 people. It owns most of its buildings, which is rare in the trade. Corvane said that it intends to leave the name, the management and the menus as they are, and to spend on bathrooms and night staff first. The firm was advised by Tulloch Kerr, the family by Bannerman & Co.

The transaction completed on {date-1} after approval by the Care Inspectorate.`,
      },
    ],
  },
]
