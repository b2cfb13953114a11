import type { CompanySeed } from './types.ts'

export const CONSUMER: readonly CompanySeed[] = [
  {
    name: 'Meridon Foods',
    domain: 'meridon-foods.example',
    industry: 'Food production',
    country: 'France',
    country_code: 'FR',
    city: 'Lyon',
    employees: 900,
    founded_year: 1962,
    description: 'Meridon Foods makes chilled ready meals for supermarkets.',
    boilerplate: 'Meridon Foods makes chilled ready meals in Lyon and Valence for supermarkets in France and Italy.',
    site: { theme: 'wordpress', team: 'figures', feed: 'rss', caching: 'both' },
    people: `
Geneviève Lacombe, Chief Executive Officer
Thibault Arnaudin, Industrial Director
Sylvaine Perrodin, Marketing Director [email]`,
    articles: [
      {
        slug: 'sale-of-frozen-business',
        days: 17,
        title: 'Meridon Foods sells its frozen division to Gelidor',
        event: 'meridon-gelidor',
        tells: ['acquisition'],
        text: `
Lyon, {date} – Meridon Foods has sold its frozen division to the Belgian group Gelidor. The transaction covers the plant in Mâcon with 210 employees and the Petit Givre brand, and was completed today. The parties agreed not to disclose the price.

With the sale Meridon Foods concentrates on chilled meals, which make up four fifths of its revenue.

Petit Givre was launched in 1984 and is known in France for its gratin dauphinois. The frozen division had sales of 88 million euros last year. Gelidor, a family company from Kortrijk, makes frozen vegetables in three countries and intends to invest in the ovens at Mâcon, some of which date from the brand’s first years. Competition authorities in France and Belgium had no objections.

“Frozen deserves an owner for whom it is the main course,” said Geneviève Lacombe, Chief Executive Officer of Meridon Foods. All contracts of employment pass to Gelidor unchanged.`,
      },
      {
        slug: 'mistaken-for-meridon-freight',
        days: 9,
        title: 'We do not run barges',
        trap: {
          kind: 'namesake',
          signals: ['expansion', 'hiring'],
          why: 'The terminal and the jobs are those of Meridon Freight, another company.',
        },
        text: `
Lyon, {date} – Since last week our switchboard has been getting calls from people who want to work as crane operators in Basel. They have read that Meridon Freight of Rotterdam opened a terminal there and is looking for staff. We wish our namesakes well, but we cook.

Applications for Basel should go to Meridon Freight. Recipes may go on coming to us.`,
      },
    ],
  },
  {
    name: 'Tesserine',
    domain: 'tesserine.example',
    industry: 'Fashion retail',
    country: 'Italy',
    country_code: 'IT',
    city: 'Milan',
    employees: 650,
    founded_year: 2001,
    description: 'Tesserine makes and sells knitwear from recycled wool.',
    boilerplate:
      'Tesserine makes knitwear from recycled wool in Prato and sells it in 64 shops of its own in Italy and Spain.',
    site: { theme: 'divsoup', team: 'soup', feed: null, caching: 'etag', json_ld: true, news: '/stories' },
    people: `
Ludovica Bellandi, Founder and Creative Director
Ettore Marchesan, Chief Executive Officer [profile]
Giada Fumagalli, Retail Director [email]`,
    articles: [
      {
        slug: 'first-shops-in-vienna',
        days: 24,
        title: 'Servus, Vienna: Tesserine opens its first two shops in Austria',
        tells: ['expansion'],
        text: `
Milan, {date} – On Saturday Tesserine opened the doors of its first two shops in Austria, one in Neubaugasse and one in the Mariahilf district of Vienna. Austria is the brand’s third country after Italy and Spain.

Both shops have a mending table, where a knitter repairs any Tesserine piece free of charge while the owner drinks an espresso. On the opening day she darned forty-one elbows.

Tesserine collects old pullovers in its shops, has them sorted by colour in Prato and spun anew, so that the yarn needs no dye. A pullover brought back is worth fifteen euros towards the next. In the first week the two Viennese shops took in eleven hundred, among them, the sales staff report, a surprising number of traditional cardigans with silver buttons.

“Vienna has the weather for us and the patience for us,” said Giada Fumagalli, Retail Director. A third shop, in Graz, follows in {month+70}.`,
      },
      {
        slug: 'wool-house',
        days: 68,
        title: 'Tesserine buys its spinning mill',
        tells: ['acquisition'],
        text: `
Milan, {date} – Tesserine has acquired Filatura Bisenzi, the mill in Prato that has spun all of its yarn for two decades. Owner Alfio Bisenzi, 74, had been looking for a successor. His 56 employees stay, and so does he, “until the machines are tired of me”.

“Without Alfio there would be no Tesserine,” said Ludovica Bellandi, Founder and Creative Director. “It would have been strange to read about the mill’s sale in the newspaper.”

Filatura Bisenzi was founded by Alfio’s grandfather in 1931 and is one of the last mills in the Bisenzio valley that still tears and spins on one site. It will go on working for its other customers, eleven knitters in Tuscany and Scotland. Colour masters from the mill and designers from Milan already meet every Tuesday over lunch, and that is not going to change either.

The purchase was paid from the company’s own funds.`,
      },
    ],
  },
  {
    name: 'Bramblewick Brewing',
    domain: 'bramblewick.example',
    industry: 'Beverages',
    country: 'United Kingdom',
    country_code: 'GB',
    city: 'York',
    employees: 64,
    founded_year: 1997,
    description: 'Bramblewick Brewing makes low-alcohol ales.',
    boilerplate: 'Bramblewick Brewing has made ales in York since 1997, most of them below one per cent.',
    site: { theme: 'table', team: 'bold', feed: 'rss-full', caching: 'modified', sitemap: null },
    people: `
Hattie Bramble, Head Brewer and Owner
Colin Wickstead, Brewery Manager
Shauna Oldroyd, Sales Manager [email, +44 1632 960114]`,
    articles: [
      {
        slug: 'hedgerow-half',
        days: 30,
        title: 'Say hello to Hedgerow Half',
        tells: ['product_launch'],
        text: `
York, {date}. It took us eleven brews, one flooded cellar and a very honest tasting panel, and now it is here. Hedgerow Half, our new pale ale at 0.5 per cent, goes on sale today in our shop, in forty pubs between York and Whitby, and online.

It is brewed with elderflower from the lane behind the brewery and a yeast that gives up early. “It tastes like the second pint without the third,” says Hattie Bramble, Head Brewer and Owner.

We are asked how it is done. Most breweries make an ordinary beer and take the alcohol out afterwards, with heat or a filter, and lose the best of it on the way. We mash hot, so that the malt gives little sugar, and use a yeast that stops early. Nothing has to be taken out because it was never there.

Hedgerow Half comes in cask and in 440 ml cans. We are brewing it all year round.`,
      },
      {
        slug: 'look-back',
        days: 47,
        title: 'A look back at our first twenty-five years',
        trap: {
          kind: 'anniversary',
          signals: ['expansion', 'acquisition', 'leadership_change'],
          why: 'Events of long ago.',
        },
        text: `
York, {date}. Shauna found the old scrapbook in the malt loft. In 1999 we moved out of the garage and opened the brewery in Fossgate. In 2006 we bought the copper from the old Tadcaster house, and with it the whole of Micklegate Ales and their dog. In 2014 Hattie took over from her father.

Come and look at it. It lies on the bar until the end of the month.`,
      },
    ],
  },
  {
    name: 'Umikaze Foods',
    domain: 'umikaze-foods.example',
    industry: 'Food production',
    country: 'Japan',
    country_code: 'JP',
    city: 'Fukuoka',
    employees: 430,
    founded_year: 1973,
    description: 'Umikaze Foods makes seaweed snacks and seasonings.',
    boilerplate: 'Umikaze Foods makes seaweed snacks and seasonings in Fukuoka, Japan. It was founded in 1973.',
    site: { theme: 'divsoup', team: 'table', feed: 'rss', caching: 'none', broken: true, json_ld: false },
    people: `
Haruto Shiranami, President
Emi Kuwahara, Director of Overseas Business [email]
Kenji Otsubo, Plant Manager`,
    articles: [
      {
        slug: 'oregon-plant',
        days: 41,
        title: 'Umikaze Foods opens first overseas plant in Oregon',
        tells: ['expansion'],
        arguable: ['hiring', 'partnership'],
        text: `
Fukuoka, {date} – Umikaze Foods opened its first plant outside Japan today, in Newport, Oregon. It will roast seaweed grown on the Pacific coast and supply retailers in the United States and Canada. The company has put 24 million dollars into the plant, which employs 55 people.

President Haruto Shiranami and the mayor of Newport broke open a barrel of sake together. “Our grandparents sold nori from a bicycle. They would have liked this coast,” said Shiranami.

The company works with two seaweed growers north of Newport and has signed up to take their whole harvest for ten years. Waste from roasting goes to a dairy farm as feed. Umikaze sells its snacks in more than 4,000 shops in North America; roasted seaweed with sesame is by far the most popular.

Until now all products for North America were shipped from Fukuoka. With the new plant delivery times fall from seven weeks to four days.`,
      },
    ],
  },
  {
    name: 'Petalmere',
    domain: 'petalmere.example',
    industry: 'E-commerce',
    country: 'Netherlands',
    country_code: 'NL',
    city: 'Aalsmeer',
    employees: 380,
    founded_year: 2010,
    description: 'Petalmere delivers cut flowers from the grower to the door.',
    boilerplate: 'Petalmere delivers cut flowers from growers to doors in six countries. It is based in Aalsmeer.',
    site: { theme: 'divsoup', team: 'cards', feed: 'rss', caching: 'none', noise: true },
    people: `
Sander Rozendaal, Chief Executive Officer
Mirthe Bloemhof, Chief Marketing Officer [email]
Youssef El Amrani, Head of Logistics`,
    articles: [
      {
        slug: 'restructuring',
        days: 26,
        title: 'Petalmere cuts 60 jobs in head office',
        tells: ['layoffs'],
        text: `
Aalsmeer, {date} – Online florist Petalmere will cut 60 of its 380 jobs, most of them in marketing and in the customer service of its head office. Employees were told this morning. The works council has given its advice.

After three years of growth the company sold about as many bouquets last year as the year before, while energy and freight became dearer. “We hired for a market that did not come,” said Sander Rozendaal, Chief Executive Officer.

Petalmere had grown quickly after its start in 2010 and delivered bouquets to six countries at its peak weekend last May, more than 400,000 in three days. Over the rest of the year the vans are often half empty. The company will go on delivering in all six countries. Prices for customers stay as they are, it said.

Departments that work with growers and drivers are not affected. Those who go will be paid until the end of {month+90}.`,
      },
      {
        slug: 'mothers-day-tips',
        days: 50,
        section: 'blog',
        title: 'How to keep tulips standing for ten days',
        text: `
Tulips go on growing in the vase, up to six centimetres, and always towards the light. Turn the vase a little every morning and they stay upright.

Cut the stems straight, not at an angle. Use little water, two fingers high, and change it every other day. Keep them away from fruit: a ripe banana ages a tulip by three days.

And the coin in the vase? We tried it with a hundred bouquets. It does nothing, but it is a nice coin.`,
      },
    ],
  },
]
