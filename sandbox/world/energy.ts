import type { CompanySeed } from './types.ts'

export const ENERGY: readonly CompanySeed[] = [
  {
    name: 'Solvarra Energy',
    domain: 'solvarra.example',
    industry: 'Renewable energy',
    country: 'United States',
    country_code: 'US',
    city: 'Denver',
    employees: 430,
    founded_year: 2013,
    description: 'Solvarra Energy develops and operates solar parks with storage in the Mountain West.',
    boilerplate:
      'Solvarra Energy develops, builds and operates solar parks with battery storage in Colorado, Utah and New Mexico. It has 1.9 gigawatts in operation and is based in Denver.',
    site: { theme: 'wordpress', team: 'figures', feed: 'rss', caching: 'both', news: '/press' },
    people: `
Noelle Castellanos, Chief Executive Officer [profile]
Bryce Hammersmith, Chief Development Officer [profile]
Aiyana Begaye, VP Community Relations [email, profile]
Doug Petrakis, Director of Construction`,
    wikidata: { id: 'Q999900006', employees: 420 },
    cik: 9990033,
    articles: [
      {
        slug: 'high-mesa-power-purchase',
        days: 10,
        title: 'Cascadia Rural Power selects Solvarra for 20-year supply from High Mesa',
        tells: ['customer_win'],
        arguable: ['partnership'],
        text: `
DENVER, {date} -- Cascadia Rural Power, a cooperative that serves 210,000 homes and farms, has signed a 20-year contract to buy the entire output of Solvarra Energy's High Mesa solar and storage project in New Mexico. It is the largest contract in Solvarra's history.

High Mesa has a capacity of 320 megawatts and batteries that can deliver 200 megawatts for four hours after sunset. Power will flow from {month+400}.

"Our members pay their bills from hay and cattle. They wanted a price they can plan with," said Lyle Ostrander, general manager of Cascadia Rural Power. "Solvarra's bid was the lowest of nine, and they were the only ones who came to the county fair."

"We do not take that for granted," said Noelle Castellanos, Chief Executive Officer of Solvarra Energy.`,
      },
      {
        slug: 'layoff-rumors-old-filing',
        days: 130,
        title: 'Solvarra Energy streamlines residential business',
        trap: { kind: 'old', signals: ['layoffs'], why: 'More than 90 days old.' },
        text: `
DENVER, {date} -- Solvarra Energy is winding down its residential installation business and will let 64 employees in Colorado Springs go. The company will concentrate on utility-scale projects. "Rooftops were where we began, and it hurts," said Noelle Castellanos, Chief Executive Officer.`,
      },
    ],
  },
  {
    name: 'Gridhaven',
    domain: 'gridhaven.example',
    industry: 'Energy storage',
    country: 'Denmark',
    country_code: 'DK',
    city: 'Aarhus',
    employees: 290,
    founded_year: 2014,
    description: 'Gridhaven builds and trades large batteries for the Nordic grid.',
    boilerplate:
      'Gridhaven builds, owns and trades large batteries in Denmark, Sweden and Finland, with 640 megawatts in operation.',
    site: { theme: 'semantic', team: 'table', feed: 'rss', caching: 'etag', news: '/investor/news' },
    people: `
Mads Thorsager, Chief Executive Officer [profile]
Line Krogsgaard, Chief Financial Officer [email, profile]
Pernille Ahlmann, Chair of the Board
Jukka Rantakallio, Head of Trading`,
    articles: [
      {
        slug: 'first-day-of-trading',
        days: 6,
        title: 'Gridhaven’s shares begin trading on Nasdaq Copenhagen',
        event: 'gridhaven-ipo',
        tells: ['ipo'],
        arguable: ['funding'],
        text: `
Aarhus, {date} – Trading in the shares of Gridhaven begins today on Nasdaq Copenhagen under the symbol GRIDH. The offer price was set at 84 kroner a share, which values the company at 4.1 billion kroner. The offering was subscribed more than three times.

The initial public offering consisted of new shares worth 900 million kroner and of existing shares sold by the founders and Jutland Pension, who have agreed not to sell more for a year. About 11,000 private investors were allotted shares.

The proceeds from the new shares will pay down debt and finance batteries that are already under contract. Nordhavn Bank and Sund Securities acted as joint global coordinators.

Mads Thorsager, Chief Executive Officer, rang the bell this morning together with Gridhaven’s first employee, electrician Susanne Kvist. “A battery is a patient thing. We would like our shareholders to be the same,” he said.`,
      },
      {
        slug: 'new-chair',
        days: 56,
        title: 'Pernille Ahlmann elected Chair of Gridhaven’s board',
        tells: ['leadership_change'],
        text: `
Aarhus, {date} – An extraordinary general meeting of Gridhaven today elected Pernille Ahlmann to the board of directors and the board chose her as its Chair. She follows Flemming Juul, who steps down after nine years.

Ahlmann was finance director of a Danish shipping group until {year-2} and serves on the boards of a pension fund and of the Royal Theatre.

The board now has seven members, three of them women. Two are elected by the employees. Flemming Juul, an engineer who built substations in his first career, joined the board when the company had four employees and a rented desk at the harbour. He received a standing ovation and, from the workshop, a fuse the size of a loaf of bread.

“Flemming took us from a drawing to ten sites,” said Mads Thorsager, Chief Executive Officer. “Pernille knows what lies beyond.”`,
      },
    ],
  },
  {
    name: 'Tideform',
    domain: 'tideform.example',
    industry: 'Renewable energy',
    country: 'United Kingdom',
    country_code: 'GB',
    city: 'Inverness',
    employees: 48,
    founded_year: 2017,
    description: 'Tideform builds tidal turbines that ride the current like a kite.',
    boilerplate: 'Tideform builds tidal turbines that ride the current like a kite. It is based in Inverness.',
    site: { theme: 'static', team: 'list', feed: 'atom', caching: 'modified', blog: true },
    people: `
Mairi Sutherland, Founder and Managing Director [email]
Callum Reith, Chief Engineer
Eilidh Macaskill, Operations Lead`,
    articles: [
      {
        slug: 'grant',
        days: 32,
        title: 'Tideform awarded £6.2 million grant for Pentland Firth array',
        tells: ['funding'],
        text: `
Inverness, {date}. Tideform has been awarded a grant of £6.2 million by the Scottish Marine Energy Fund. The money covers half the cost of an array of six kites in the Pentland Firth, one of the strongest tidal streams on earth.

The award is the largest the fund has made in its current round. Forty-one companies had applied.

A Tideform kite hangs on a tether on the sea bed and swims figures of eight across the current, faster than the water itself. Each of the six will deliver about as much power as 250 homes use. Fishermen from Scrabster and Stroma helped to choose the sites, so that lines and creels stay clear of each other.

“Last winter one of our kites stayed in the water for 140 days without a diver touching it,” said Mairi Sutherland, Founder and Managing Director. “That report is what got us this grant, and Callum’s team wrote it in the engine room of a creel boat.”`,
      },
      {
        slug: 'what-we-would-do-with-more',
        days: 61,
        section: 'blog',
        title: 'Five things people ask us at the pub',
        trap: {
          kind: 'plan',
          signals: ['ipo', 'expansion', 'hiring'],
          why: 'Answers to what-ifs: no listing, no second site, no jobs now.',
        },
        text: `
Will you ever go to the stock market? Maybe when I am sixty. I am forty-one.

Are you opening in Canada? The Bay of Fundy has the finest tides in the world and we go there on holiday. We have no plans to open anything there.

Are you hiring? Not this year. Send us a postcard next spring.

Do the kites hurt seals? No. We have 2,600 hours of video of seals ignoring us.

What happens in a storm? We go to the pub.`,
      },
    ],
  },
  {
    name: 'Hydralund',
    domain: 'hydralund.example',
    industry: 'Fuel cells',
    country: 'Norway',
    country_code: 'NO',
    city: 'Bergen',
    employees: 175,
    founded_year: 2011,
    description: 'Hydralund makes marine fuel cells and hydrogen tanks.',
    boilerplate: 'Hydralund makes marine fuel cells and hydrogen tanks in Bergen, Norway.',
    site: { theme: 'semantic', team: 'json-ld', feed: 'json', caching: 'both' },
    people: `
Sigrid Hovland, Chief Executive Officer [profile]
Øystein Raknes, Chief Operating Officer [profile]
Trude Fjelstad, HR Director [email]`,
    articles: [
      {
        slug: 'sundqvist-marine',
        days: 16,
        title: 'Hydralund and Sundqvist Marine agree to build hydrogen pilot boats together',
        event: 'sundqvist-hydralund',
        tells: ['partnership'],
        text: `
Bergen, {date} – Hydralund has entered into a five-year cooperation with the Swedish yard Sundqvist Marine. The partners will develop pilot vessels that run on hydrogen. Hydralund will deliver fuel cells and tanks, Sundqvist Marine will design and build the boats.

“We have waited for a yard that is as stubborn about weight as we are,” said Sigrid Hovland, Chief Executive Officer of Hydralund.

Pilot boats go out in all weathers, often at full speed and for long hours, and carry people on a pitching deck. Tanks therefore have to sit low and must not leak into closed rooms. Hydralund’s marine fuel cell was approved by a classification society last year and runs today on two ferries and a research vessel in the Hardangerfjord. Sundqvist Marine has built 212 vessels since 1988.

A first vessel is to be shown to pilot authorities in {month+420}.`,
      },
      {
        slug: 'adjusting-capacity',
        days: 45,
        title: 'Hydralund adjusts its organisation to a slower truck market',
        tells: ['layoffs'],
        text: `
Bergen, {date} – Hydralund is reducing its workforce by 35 positions. The measure concerns the truck division in Bergen, whose main customer has put its hydrogen programme on hold. Talks with the unions were concluded yesterday.

Those affected will be supported in finding new work. Eleven have already been offered positions in the marine division.

“We bet on two markets, and one of them is taking longer than anybody thought,” said Sigrid Hovland, Chief Executive Officer. “It is my mistake and colleagues pay for it. I find that hard.”

Hydralund began to make fuel cells for trucks seven years ago, when several makers announced large series. Sales in the division fell by more than half over the past four quarters.

The marine division is not affected; its order intake is up by a fifth.`,
      },
    ],
  },
  {
    name: 'Voltique',
    domain: 'voltique.example',
    industry: 'Batteries',
    country: 'France',
    country_code: 'FR',
    city: 'Grenoble',
    employees: 780,
    founded_year: 2019,
    description: 'Voltique makes sodium-ion battery cells for buses and forklifts.',
    boilerplate:
      'Voltique makes sodium-ion battery cells for buses, forklifts and stationary storage. Founded in Grenoble in 2019, it employs 780 people.',
    site: { theme: 'divsoup', team: 'cards', feed: 'rss', caching: 'etag', news: '/presse-en' },
    people: `
Capucine Delatour, Chief Executive Officer [profile]
Bastien Morvan, Chief Operating Officer [profile]
Hélène Vauquelin, Quality Director [email]
Idriss Benhaddou, Head of Recruitment [email]`,
    board: {
      vendor: 'teamtailor',
      openings: `
Cell Process Engineer, Production, 7
Maintenance Technician, Production, 4
Quality Engineer Electrodes, Quality, 18
Purchasing Manager, Supply Chain, 12
Electrochemist, Research, 25`,
    },
    articles: [
      {
        slug: 'second-line',
        days: 35,
        title: 'Voltique starts up second cell line near Grenoble',
        tells: ['expansion'],
        text: `
Grenoble, {date} – The second production line of the Voltique cell plant at Saint-Égrève has started up. With it the plant’s yearly capacity doubles to four gigawatt-hours. The President of the Auvergne-Rhône-Alpes Region pressed the button together with two apprentices of the first year.

The line makes a larger cell for city buses. Its dryers run on heat from a neighbouring paper mill, which saves as much gas as 2,000 homes burn in a winter.

“The first line took us nineteen months from the first pillar to the first good cell. The second took eleven,” said Bastien Morvan, Chief Operating Officer.

Sodium cells need no lithium, cobalt or nickel. They store less energy for their weight than other cells but stand the cold well, which is why bus companies in the Alps were among the first to use them.

Customers will receive cells from the new line from {month+60}.`,
      },
      {
        slug: 'retraction',
        days: 42,
        title: 'Correction concerning a report in a business daily',
        trap: {
          kind: 'denial',
          signals: ['ipo', 'layoffs'],
          why: 'The company says that neither is true.',
        },
        text: `
Grenoble, {date} – A business daily reported this morning that Voltique was preparing a stock-market listing for next spring and would cut jobs beforehand. Both statements are wrong.

Voltique is not preparing a listing. No bank has been mandated. There are no job cuts, neither planned nor under discussion.

The newspaper has been informed and has announced a correction.`,
      },
    ],
  },
]
