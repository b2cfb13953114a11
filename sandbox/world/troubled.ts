import type { CompanySeed } from './types.ts'

/** Companies whose websites cannot be read, or only with difficulty. */
export const TROUBLED: readonly CompanySeed[] = [
  {
    name: 'Lanternfall Studios',
    domain: 'lanternfall.example',
    industry: 'Video games',
    country: 'Finland',
    country_code: 'FI',
    city: 'Tampere',
    employees: 55,
    founded_year: 2015,
    description: 'Lanternfall Studios makes quiet games.',
    boilerplate: 'Lanternfall Studios makes quiet games in Tampere.',
    site: { fault: 'drop' },
    people: 'Aino Kettunen, Studio Director',
  },
  {
    name: 'Mosshollow Analytics',
    domain: 'mosshollow.example',
    industry: 'Market research',
    country: 'Australia',
    country_code: 'AU',
    city: 'Hobart',
    employees: 34,
    founded_year: 2012,
    description: 'Mosshollow Analytics counts what shoppers leave behind on the shelf.',
    boilerplate:
      'Mosshollow Analytics counts what shoppers leave behind on the shelf. It is based in Hobart, Tasmania.',
    site: { theme: 'static', team: 'list', feed: 'rss', fault: 'slow' },
    people: `
Bronwyn Tasker, Managing Director [email]
Hugh Pilkington-Wray, Lead Statistician`,
    articles: [
      {
        slug: 'shelfcam',
        days: 37,
        title: 'Mosshollow launches Shelfcam for corner shops',
        tells: ['product_launch'],
        text: `
Hobart, {date}. Mosshollow Analytics today launched Shelfcam, a camera the size of a matchbox that tells owners of corner shops which products run out and when. It costs 12 dollars a month and is available across Australia and New Zealand from today.

Large chains have had such systems for years. “A milk bar in Burnie does not have an analytics department. It has Kev,” said Bronwyn Tasker, Managing Director. “Shelfcam sends Kev a text message.”

The camera clips to the edge of a shelf and runs for two years on one battery. It looks every ten minutes and sends nothing unless something has changed. In a trial with sixty shops in Tasmania and Victoria, owners sold seven per cent more bread and threw away a fifth less milk. A small shop needs between four and nine of them.

The camera recognises shelves, not people, and stores no pictures.`,
      },
    ],
  },
  {
    name: 'Cindermark Media',
    domain: 'cindermark.example',
    industry: 'Publishing',
    country: 'Austria',
    country_code: 'AT',
    city: 'Vienna',
    employees: 120,
    founded_year: 1990,
    description: 'Cindermark Media publishes trade magazines.',
    boilerplate: 'Cindermark Media publishes trade magazines in Vienna.',
    site: { fault: 'error' },
    people: 'Roswitha Edlinger, Publisher',
  },
  {
    name: 'Garnetfield Systems',
    domain: 'garnetfield.example',
    industry: 'Electronics',
    country: 'South Korea',
    country_code: 'KR',
    city: 'Suwon',
    employees: 470,
    founded_year: 2002,
    description: 'Garnetfield Systems makes industrial cameras.',
    boilerplate: 'Garnetfield Systems makes industrial cameras in Suwon.',
    site: { fault: 'garbage' },
    people: 'Seo-yeon Baek, Chief Executive Officer',
  },
  {
    name: 'Scholarden',
    domain: 'scholarden.example',
    industry: 'Education',
    country: 'Australia',
    country_code: 'AU',
    city: 'Melbourne',
    employees: 160,
    founded_year: 2013,
    description: 'Scholarden makes timetables for schools.',
    boilerplate: 'Scholarden makes timetables for 2,100 schools in Australia and New Zealand.',
    site: { theme: 'semantic', team: 'cards', robots: 'closed' },
    people: `
Tamsin Achebe-Clark, Chief Executive Officer [email]
Rohan Pillai, Head of Product`,
    articles: [
      {
        slug: 'all-schools-of-victoria',
        days: 19,
        title: 'Scholarden launches timetable app for parents',
        trap: {
          kind: 'disallowed',
          signals: ['product_launch'],
          why: 'The whole site is closed to robots: its pages must not be fetched.',
        },
        text: `
Melbourne, {date}. Parents in 2,100 schools can now see their children’s timetables on the phone. Scholarden today launched Scholarden Family, an app for parents, in Australia and New Zealand.

“The question at our kitchen table was always the same: is it library day?” said Tamsin Achebe-Clark, Chief Executive Officer.`,
      },
    ],
  },
  {
    name: 'Ostrava Ceramics',
    domain: 'ostrakeram.example',
    industry: 'Building materials',
    country: 'Czechia',
    country_code: 'CZ',
    city: 'Ostrava',
    employees: 230,
    founded_year: 1957,
    description: 'Ostrava Ceramics makes floor tiles for stations and schools.',
    boilerplate: 'Ostrava Ceramics has made floor tiles since 1957.',
    site: {
      theme: 'table',
      team: 'definitions',
      feed: null,
      robots: 'missing',
      sitemap: null,
      json_ld: false,
      caching: 'none',
    },
    people: `
Vladimír Hruška, Director
Jitka Malinová, Export Manager [email]`,
    articles: [
      {
        slug: 'care-of-tiles',
        days: 83,
        title: 'Care of unglazed tiles in winter',
        text: `
Ostrava, {date}. Road salt does not harm unglazed tiles, but grit does. Put a mat in front of the door and sweep every morning. Use warm water without soap.

If a tile breaks all the same, we keep every colour we have made since 1974 in stock.`,
      },
    ],
  },
]
