import type { CompanySeed } from './types.ts'

export const MANUFACTURING: readonly CompanySeed[] = [
  {
    name: 'Halden Robotics',
    domain: 'halden-robotics.example',
    industry: 'Robotics',
    country: 'Norway',
    country_code: 'NO',
    city: 'Oslo',
    employees: 240,
    founded_year: 2016,
    description: 'Halden Robotics builds mobile picking robots for cold-chain warehouses.',
    boilerplate:
      'Halden Robotics designs and builds mobile picking robots that work at minus 28 degrees. More than ninety frozen-food and pharmaceutical warehouses in eleven countries rely on its machines. The company was founded in 2016 by three engineers from the fishing industry and is based in Oslo.',
    site: { theme: 'semantic', team: 'cards', feed: 'rss-full', caching: 'both', blog: true },
    people: `
Ingrid Solbakken, Chief Executive Officer [email, profile]
Tor-Arne Lindvik, Chief Technology Officer [profile]
Marte Eikeland, Chief Financial Officer [profile]
Jonas Brattberg, VP Sales EMEA [email, profile]
Sunniva Haugland, Head of People
Pawel Zarzycki, Director of Manufacturing`,
    wikidata: { id: 'Q999900001', employees: 235 },
    board: {
      vendor: 'greenhouse',
      openings: `
Senior Controls Engineer, Engineering, 6
Perception Engineer, Engineering, 9
Field Service Technician, Operations, 14
Account Executive Nordics, Sales, 3
Embedded Software Engineer, Engineering, 21
Production Planner, Operations, 11`,
    },
    articles: [
      {
        slug: 'series-b',
        days: 12,
        title: 'Halden Robotics raises €38 million to put robots into the world’s coldest warehouses',
        event: 'halden-series-b',
        tells: ['funding'],
        arguable: ['hiring', 'expansion', 'leadership_change'],
        text: `
OSLO, {date} – Halden Robotics, the maker of picking robots for frozen storage, today announced that it has closed a €38 million Series B round. The round was led by Fjellvind Growth, with Kattegat Industrial Partners and all existing shareholders taking part. It brings the total raised since the company’s start to €55 million.

Cold stores are among the hardest places to staff. Shifts are short, turnover is high, and ordinary robots freeze up within hours. Halden’s machines are built around a heated drive train and a gripper that keeps its feeling at minus 28 degrees, and they run beside people without cages.

“We spent six years making a robot that does not mind the cold. The next two are about making enough of them,” said Ingrid Solbakken, Chief Executive Officer of Halden Robotics. “Our order book is full until next summer, and this money goes straight into production and service.”

“Every food company we spoke to told us the same story: they cannot find people for the freezer,” said Anniken Roald, partner at Fjellvind Growth, who joins the board. “Halden is the only team we met that solves it without asking the customer to rebuild the warehouse.”

The company delivered its two-hundredth robot in {month-40} and expects to double its output over the coming year.`,
      },
      {
        slug: 'gdansk-assembly-site',
        days: 44,
        title: 'New assembly site in Gdańsk goes into operation',
        tells: ['expansion'],
        text: `
GDAŃSK, {date} – Halden Robotics has opened its first production site outside Norway. The 6,200-square-metre hall in the Port of Gdańsk took up work on Monday and will build up to forty robots a month when it runs at full capacity.

The site sits ten minutes from the container terminal, so finished machines can be shipped to customers in Germany, the Benelux countries and the United Kingdom within three days. Oslo keeps development, prototypes and the service centre.

“Gdańsk gave us skilled people, a deep harbour and a city council that answers the phone,” said Pawel Zarzycki, Director of Manufacturing, who moved from the company’s Oslo plant to run the new one. “The first machine left the line nine days after the power was switched on.”

Visitors from the trade press are welcome on {date+30}. Please register with the press office.`,
      },
      {
        slug: 'what-minus-28-does-to-grease',
        days: 25,
        section: 'blog',
        title: 'What minus 28 degrees does to grease, and what we do about it',
        text: `
Take a tube of ordinary bearing grease, leave it in a blast freezer overnight, and try to squeeze it in the morning. You will not get far. The base oil thickens, the soap that holds it stiffens, and a motor that turned freely at room temperature now needs four times the torque to move.

Most engineers reach for a low-temperature synthetic at this point. It helps, but it also creeps, and creeping grease ends up on the floor of a building that stores food. We went another way and warmed the few cubic centimetres that matter, with the waste heat of the drive.

The trick is not the heater, it is knowing when to switch it off. Our controller estimates viscosity from the current the motor draws in the first tenth of a second after it starts. If it is already soft, we save the battery.

If you want the numbers, our team wrote them up for last year’s cold-chain engineering conference, and we are happy to send the slides.`,
      },
      {
        slug: 'ten-years',
        days: 70,
        title: 'Ten years of Halden: from a rented boathouse to eleven countries',
        trap: {
          kind: 'anniversary',
          signals: ['acquisition'],
          why: 'Looks back on events of past years.',
        },
        text: `
OSLO, {date} – This week Halden Robotics celebrates its tenth birthday. What began in a rented boathouse with one borrowed lathe is today a company of 240 people.

A few moments from the first decade: in {year-8} the first robot survived a full winter at a fish-processing plant in Tromsø. In {year-6} Ingrid Solbakken took over as Chief Executive Officer from co-founder Einar Moe, who still chairs our science council. In {year-4} we acquired Bergen-based gripper specialist Klypa, whose seven engineers built the hand that all our robots use today.

“I still have the first invoice on my wall,” says Solbakken. “It was for 4,000 kroner and the customer paid late.”

On {date+6} we invite neighbours, former colleagues and friends to the yard behind the plant. There will be fish soup, and for once we will keep it hot.`,
      },
    ],
  },
  {
    name: 'Brennholt Maschinenbau',
    domain: 'brennholt.example',
    industry: 'Industrial machinery',
    country: 'Germany',
    country_code: 'DE',
    city: 'Esslingen',
    employees: 1900,
    founded_year: 1951,
    description: 'Brennholt Maschinenbau fertigt Sägewerksanlagen und Holzbearbeitungszentren.',
    boilerplate:
      'Die Brennholt Maschinenbau GmbH & Co. KG mit Sitz in Esslingen fertigt seit 1951 Sägewerksanlagen und Bearbeitungszentren für den Holzbau. Das Familienunternehmen beschäftigt rund 1.900 Mitarbeiterinnen und Mitarbeiter.',
    site: {
      theme: 'wordpress',
      team: 'definitions',
      feed: 'rss',
      language: 'de',
      news: '/presse',
      caching: 'modified',
    },
    people: `
Dr. Hartmut Brennholt, Geschäftsführender Gesellschafter
Sabine Kielmann, Geschäftsführerin Finanzen [email]
Uwe Drosselmeier, Leiter Vertrieb [email]
Anneliese Trautwein, Personalleiterin`,
    wikidata: { id: 'Q999900002', employees: 1850 },
    articles: [
      {
        slug: 'werk-leoben',
        days: 33,
        title: 'Brennholt eröffnet Werk in Leoben',
        tells: ['expansion'],
        text: `
Esslingen, {date} – Die Brennholt Maschinenbau GmbH & Co. KG hat am Montag ihr neues Werk im österreichischen Leoben eröffnet. Auf 14.000 Quadratmetern entstehen dort künftig Abbundanlagen für den mehrgeschossigen Holzbau. In das Werk sind 31 Millionen Euro geflossen.

„Leoben liegt mitten in einem der holzreichsten Gebiete Europas“, sagte Dr. Hartmut Brennholt, geschäftsführender Gesellschafter. „Unsere Kunden aus Österreich, Slowenien und Norditalien erreichen uns hier in wenigen Stunden.“

Für den Standort sprachen neben der Lage auch die Montanuniversität und die Holztechniker der Region. Mit der Hochschule in Graz will das Unternehmen die Fügetechnik weiterentwickeln.

Die ersten achtzig Beschäftigten haben ihre Arbeit bereits aufgenommen. Die Ausbildungswerkstatt beginnt im Herbst mit zwölf Lehrlingen.`,
      },
      {
        slug: 'neue-finanzchefin',
        days: 58,
        title: 'Sabine Kielmann übernimmt die Finanzen',
        tells: ['leadership_change'],
        text: `
Esslingen, {date} – Sabine Kielmann ist seit dem Ersten des Monats Geschäftsführerin Finanzen der Brennholt Maschinenbau. Die 47-Jährige folgt auf Gerd Pfisterer, der nach 22 Jahren in den Ruhestand geht.

Kielmann kommt von einem Zulieferer aus dem Schwarzwald, wo sie zuletzt das Controlling leitete. „Sie kennt den Mittelstand und sie kennt Holz“, sagte Dr. Hartmut Brennholt. „Wir freuen uns sehr.“`,
      },
    ],
  },
  {
    name: 'Tavrik Instruments',
    domain: 'tavrik.example',
    industry: 'Scientific instruments',
    country: 'Czechia',
    country_code: 'CZ',
    city: 'Brno',
    employees: 320,
    founded_year: 1998,
    description: 'Tavrik Instruments makes desktop electron microscopes for quality laboratories.',
    boilerplate:
      'Tavrik Instruments develops and manufactures desktop electron microscopes in Brno, a city with eight decades of electron optics. Its instruments are used for quality control in batteries, semiconductors and additive manufacturing.',
    site: { theme: 'divsoup', team: 'table', feed: 'atom', caching: 'etag', json_ld: false, news: '/press-room' },
    people: `
Radim Tavrik, Managing Director
Helena Vondrasek, Chief Scientific Officer [email]
Ondrej Mlynar, Head of Sales [email]
Zuzana Prikryl, Product Manager`,
    articles: [
      {
        slug: 'lumen-3-desktop-microscope',
        days: 18,
        title: 'Tavrik Instruments introduces Lumen 3, a desktop electron microscope that finds particles by itself',
        tells: ['product_launch'],
        text: `
BRNO, {date} – Tavrik Instruments today introduced the Lumen 3, the third generation of its desktop scanning electron microscope. The new instrument scans a 100-millimetre wafer in eleven minutes, finds foreign particles without an operator, and sorts them by chemistry.

The Lumen 3 replaces the Lumen 2, of which the company has built 1,400 units. It fits on an ordinary laboratory bench and runs from a normal wall socket. A new detector collects X-rays over twice the angle of its predecessor, so that a particle analysis that took an hour is done over a coffee.

“Our customers are not microscopists. They are people who have to say by noon whether a batch of cathode powder is clean,” said Helena Vondrasek, Chief Scientific Officer. “With Lumen 3 they put the sample in, close the door and get an answer.”

The instrument is available now from Tavrik and its distributors in Europe and Asia. Deliveries start in {month+25}. Prices begin at 96,000 euros.`,
      },
      {
        slug: 'voltique-order',
        days: 51,
        title: 'Voltique orders twelve Tavrik microscopes for its cell lines',
        event: 'voltique-microscopes',
        tells: ['customer_win'],
        text: `
BRNO, {date} – French battery maker Voltique has chosen Tavrik Instruments to equip the laboratories of its cell plant near Grenoble. The order covers twelve Lumen microscopes, automation software and a five-year service contract, and is the largest that Tavrik has received from a single customer.

The microscopes will check incoming cathode powder and look for metal particles on the electrode lines, around the clock. Tavrik won against four other bidders after a three-month trial on site.

“What decided it was the trial. The instruments ran for eleven weeks without a technician,” said Ondrej Mlynar, Head of Sales at Tavrik Instruments.

The first four instruments were handed over last week; the rest will follow by the end of the quarter.`,
      },
      {
        slug: 'outlook-and-risks',
        days: 37,
        title: 'Tavrik Instruments publishes figures for the first half',
        trap: {
          kind: 'forward_looking',
          signals: ['acquisition', 'layoffs', 'ipo'],
          why: 'Only the cautionary statement speaks of acquisitions, cuts and a listing.',
        },
        text: `
BRNO, {date} – Tavrik Instruments closed the first half of its business year with sales of 31.2 million euros, up nine per cent on the same months of last year. Earnings before interest and tax came to 4.1 million euros.

“Orders from the battery industry made up for a slow spring in semiconductors,” said Managing Director Radim Tavrik. The company keeps its forecast for the full year.

Cautionary statement

This release contains statements about the future that rest on current expectations. Actual results may differ because of many factors, including changes in demand, the cost of components, possible acquisitions or the failure to complete them, reductions of the workforce, the timing of any initial public offering of the company or its affiliates, and the loss of key personnel. Tavrik Instruments undertakes no duty to update such statements.`,
      },
    ],
  },
  {
    name: 'Pellworth Castings',
    domain: 'pellworth.example',
    industry: 'Metal casting',
    country: 'United States',
    country_code: 'US',
    city: 'Dayton',
    employees: 610,
    founded_year: 1924,
    description: 'Pellworth Castings pours iron and steel parts for farm and construction machines.',
    boilerplate:
      'Pellworth Castings has poured iron in Dayton, Ohio since 1924. The company supplies axle housings, brackets and counterweights to makers of farm and construction machinery across North America.',
    site: { theme: 'table', team: 'list', feed: null, caching: 'modified', sitemap: null, json_ld: false },
    people: `
Dale R. Pellworth, President
Connie Strickland, Vice President of Operations
Marcus Oyelaran, Plant Manager
Theresa Kubiak, Human Resources Manager [email, +1 937-555-0142]`,
    articles: [
      {
        slug: 'richmond-foundry',
        days: 27,
        title: 'Pellworth Castings to close Richmond foundry',
        tells: ['layoffs'],
        text: `
DAYTON, Ohio, {date} -- Pellworth Castings told employees today that it will close its foundry in Richmond, Indiana, by the end of {month+90}. The decision affects 118 people.

Work now done in Richmond will move to the company's main plant in Dayton, which has been running two shifts on its large molding line and has room for a third. Orders for counterweights, the foundry's main product, have fallen by almost half in two years as machine makers moved to welded plate.

"There is no good way to say this to people who have done nothing wrong," said Dale R. Pellworth, President. "Richmond made good iron for 57 years. We looked for other work to put in there and did not find enough of it."

Employees who leave will receive one week of pay for each year of service, and health coverage through the end of the year. Twenty positions in Dayton will be offered to Richmond employees first. The company has given notice to the state and to the United Steelworkers local.`,
      },
      {
        slug: 'hundred-years',
        days: 400,
        title: 'Pellworth Castings marks a century of pouring iron',
        trap: { kind: 'old', signals: ['expansion'], why: 'More than a year old.' },
        text: `
DAYTON, Ohio, {date} -- Pellworth Castings celebrated its hundredth year with an open house that drew more than 900 neighbors. Visitors watched the morning pour and toured the new machining hall, which opened the same day.

The 40,000-square-foot hall brings work in-house that used to be sent to job shops in three counties. "My great-grandfather would have liked the noise," said Dale R. Pellworth, President.`,
      },
    ],
  },
  {
    name: 'Sundqvist Marine',
    domain: 'sundqvist-marine.example',
    industry: 'Shipbuilding',
    country: 'Sweden',
    country_code: 'SE',
    city: 'Gothenburg',
    employees: 150,
    founded_year: 1988,
    description: 'Sundqvist Marine builds electric workboats and pilot vessels.',
    boilerplate:
      'Sundqvist Marine builds electric workboats, pilot vessels and harbour ferries at its yard on the Göta älv. The yard has delivered 212 vessels since 1988.',
    site: { theme: 'static', team: 'h-card', feed: 'json', caching: 'etag' },
    people: `
Elsa Sundqvist, Managing Director [email]
Mikael Hedenskog, Chief Naval Architect
Birgitta Ståhlberg, Sales Manager [email, profile]`,
    articles: [
      {
        slug: 'hydralund-alliance',
        days: 16,
        title: 'Sundqvist Marine and Hydralund join forces on hydrogen pilot boats',
        event: 'sundqvist-hydralund',
        tells: ['partnership'],
        text: `
GOTHENBURG, {date} – Sundqvist Marine and the Norwegian fuel-cell maker Hydralund have signed a five-year cooperation agreement. Together the two companies will develop a pilot vessel that runs on hydrogen and can stay at sea for sixteen hours.

Under the agreement Hydralund supplies fuel cells and tanks, and Sundqvist Marine designs the hull and builds the boats. Neither party will work with a competitor of the other on vessels under thirty metres while the agreement runs.

“Batteries take us through a working day in harbour. For a pilot station on the open coast that is not enough,” said Elsa Sundqvist, Managing Director. “Hydralund has the most compact fuel cell that a classification society has approved, and they are six hours away by train.”

A joint project office has been set up at the yard in Gothenburg. A model of the hull was tested in the towing tank in {month-30}.`,
      },
      {
        slug: 'thinking-about-a-second-yard',
        days: 62,
        title: 'Elsa Sundqvist on the yard’s next ten years',
        trap: { kind: 'plan', signals: ['expansion', 'funding'], why: 'Muses on what might come; nothing is decided.' },
        text: `
A conversation with our Managing Director, who took over the yard from her father eleven years ago.

Where will Sundqvist Marine be in ten years? “Still here, I hope, and still building boats that people like to work on. If orders go on like this we may one day need a second yard, perhaps on the Baltic side. But that is a dream, not a project. We have neither land nor money set aside for it.”

Would you take an outside investor? “We are asked twice a year. I would never rule it out. At the moment I do not see what we would do with the money that we cannot do with patience.”

What worries you? “Welders. Every yard in Europe is looking for the same two hundred people.”`,
      },
    ],
  },
]
