// Things without a name, verbs that share a subject, and the words of headlines.
import { test } from 'node:test'
import { assertClaims } from '../../../test/support/claims.ts'

test('a launched thing is described in the words of the sentence', () => {
  assertClaims('product_launch', [
    ['Orvane', 'Orvane launches online-only pump sales', 'Orvane launches online-only pump sales'],
    [
      'Orvane',
      'Orvane is excited to introduce its newly developed pump planning services, created for small yards.',
      'Orvane launches its newly developed pump planning services',
    ],
    [
      'Orvane',
      'Orvane is a family firm and is proud to introduce child-size life vests to its range.',
      'Orvane launches child-size life vests',
    ],
    [
      'Orvane',
      'As the year ends, Orvane is thrilled to announce the launch of our cutting-edge valve trading tools, designed for yards.',
      'Orvane launches its cutting-edge valve trading tools',
    ],
    ['Orvane', 'Orvane starts selling $1,900 hand pump', 'Orvane launches $1,900 hand pump'],
    ['Orvane', 'Orvane Now Offering Hydraulic Valve Repairs in Bergen', 'Orvane offers Hydraulic Valve Repairs'],
    ['Orvane', 'Orvane celebrated the launch event in Bergen.', 'Orvane launches a product'],
    ['Orvane', 'Orvane unveiled the official debut of a limited-edition sock.', 'Orvane launches a product'],
    ['Orvane', 'Orvane introduces a fast, simple and cheap way to pump.', 'Orvane launches a product'],
    ['Orvane', 'ORVANE LAUNCHES CUTTING-EDGE PUMPING SPACE', 'Orvane launches a product'],
  ])
})

test('a purchase or sale is described where it has no name', () => {
  assertClaims(
    'acquisition',
    [
      ['Orvane', 'Orvane grows by acquiring Lakeside Pumps.', 'Orvane acquires Lakeside Pumps'],
      ['Orvane', 'Orvane Expands Valve Platform With Acquisition of Lakeside', 'Orvane acquires Lakeside'],
      ['Orvane', 'Orvane snaps up Lakeside', 'Orvane acquires Lakeside'],
      ['Orvane', 'Orvane pays €61m for Lakeside', 'Orvane acquires Lakeside for €61m'],
      ['Orvane', 'Orvane has taken 75% of Lakeside Pumps.', 'Orvane takes a stake in Lakeside Pumps'],
      [
        'Orvane',
        'Orvane has executed a letter of intent to acquire a Bergen-based pump repair firm with no debt.',
        'Orvane plans to acquire a Bergen-based pump repair firm',
      ],
      ['Orvane', 'Orvane’s acquisition of Lakeside positions the company well.', 'Orvane acquires Lakeside'],
    ],
    'acquirer',
  )
  assertClaims(
    'acquisition',
    [
      [
        'Lakeside',
        'Tidewell has acquired the valve company Lakeside based in Oslo.',
        'Lakeside is acquired by Tidewell',
      ],
      ['Lakeside', 'Tidewell Acquires Majority Stake in Lakeside', 'Lakeside sells a stake to Tidewell'],
    ],
    'acquired',
  )
})

test('rounds, grants and proceeds without the usual words', () => {
  assertClaims('funding', [
    [
      'Orvane',
      'Tidewell Foundation Grants $550,000 to Orvane to Clean Rivers',
      'Orvane receives $550,000 from Tidewell Foundation',
    ],
    ['Orvane', 'Orvane joins the race for better pumps, as it raises $2.5M', 'Orvane raises $2.5M'],
    [
      'Orvane',
      'Orvane has closed its offering for gross proceeds of approximately $6.9 million.',
      'Orvane raises $6.9 million',
    ],
    ['Orvane', 'The current round brings Orvane’s total funding to more than $340 million.', 'Orvane raised capital'],
    ['Orvane', 'Orvane Presale Approaches $2M Mark', 'Orvane raised capital'],
  ])
})

test('sites, moves and markets', () => {
  assertClaims('expansion', [
    [
      'Orvane',
      'Orvane, a pump maker, has announced the grand opening of their new 266,000-square-foot regional distribution center (RDC) in Bergen, Norway.',
      'Orvane opens a distribution center in Bergen, Norway',
      { places: ['Bergen, Norway'] },
    ],
    ['Orvane', 'Orvane has opened nine kitchens in Riyadh.', 'Orvane opens nine kitchens in Riyadh'],
    ['Orvane', 'Orvane raises $6m, opens four homes in Brittany', 'Orvane opens four homes in Brittany'],
    ['Orvane', 'New assembly site in Gdańsk goes into operation', 'Orvane opens assembly site in Gdańsk'],
    ['Orvane', 'Orvane moves headquarters to Basel', 'Orvane moves to Basel'],
    ['Orvane', 'Orvane to enter Kenya', 'Orvane plans to enter Kenya'],
    ['Orvane', 'Orvane could open a plant in Ohio.', 'Orvane expands'],
  ])
})

test('partners are named when they act together, and not when both belong to another company', () => {
  assertClaims('partnership', [
    [
      'Orvane',
      'Orvane, a maker of pumps, and Tidewell, a yard operator, are proud to announce the formation of a venture.',
      'Orvane partners with Tidewell',
    ],
    ['Orvane', 'Together, Tidewell and Orvane deliver a seamless pump.', 'Orvane partners with Tidewell'],
    ['Orvane', 'Tidewell, in collaboration with Orvane, celebrated the launch.', 'Orvane partners with Tidewell'],
    [
      'Orvane',
      '“Our partnership with Tidewell underscores our care,” said Ann Bo, CEO of Orvane.',
      'Orvane partners with Tidewell',
    ],
    ['Orvane', 'Lakeside Partners with Tidewell and Orvane to Build Pumps', 'Orvane enters a partnership'],
    [
      'Orvane',
      'In partnership with Tidewell, Lakeside, and Orvane, Brenner has launched.',
      'Orvane enters a partnership',
    ],
  ])
})

test('customers and vendors are named from either side', () => {
  assertClaims('customer_win', [
    ['Orvane', 'Tidewell turns to Orvane', 'Orvane wins Tidewell as a customer'],
    ['Orvane', 'Tidewell ditches Lakeside for Orvane', 'Orvane wins Tidewell as a customer'],
    ['Orvane', 'Tidewell awards pump work to Orvane', 'Orvane wins a contract from Tidewell'],
    ['Orvane', 'Orvane Secures $1.2M in New Contracts', 'Orvane wins contracts worth $1.2M'],
    ['Orvane', 'Orvane wins 200 MW at Tunisian auction', 'Orvane wins a customer'],
  ])
  assertClaims('technology_adoption', [
    ['Orvane', 'Orvane rolls out Tidewell across all yards', 'Orvane adopts Tidewell'],
    ['Orvane', 'Orvane orders 24 pumps from Tidewell', 'Orvane orders 24 pumps from Tidewell'],
    ['Orvane', 'Orvane is replacing its old software with Tidewell across 61 yards.', 'Orvane adopts Tidewell'],
    ['Orvane', 'Orvane is deploying its own app on a network.', 'Orvane adopts a technology'],
  ])
})

test('created and cut jobs come with their own numbers', () => {
  assertClaims('hiring', [
    ['Orvane', 'Orvane needs 700 summer workers', 'Orvane is hiring 700 summer workers'],
    ['Orvane', 'Fifteen engineers are to be recruited there before the summer.', 'Orvane is hiring fifteen engineers'],
    [
      'Orvane',
      'We are looking for a senior backend engineer to join our team.',
      'Orvane is hiring a senior backend engineer',
    ],
    ['Orvane', 'Drive to fill 250 vacancies at Orvane', 'Orvane is hiring for 250 vacancies'],
  ])
  assertClaims('layoffs', [
    ['Orvane', 'Orvane axes 140 as orders dry up', 'Orvane cuts 140 jobs'],
    ['Orvane', 'Orvane will cut 120 of 480 posts in Bergen.', 'Orvane plans to cut 120 jobs'],
    ['Orvane', 'Orvane has dismissed half of its 220 people.', 'Orvane cuts jobs'],
    ['Orvane', 'All but six of its 130 workers were made redundant.', 'Orvane cuts jobs'],
    [
      'Orvane',
      'The plan includes a reduction of the workforce by approximately 17%.',
      'Orvane cuts its workforce by 17%',
    ],
  ])
})

test('boards, listings and incidents', () => {
  assertClaims('leadership_change', [
    [
      'Orvane',
      'Maria Holm has been appointed to the board of directors of Orvane.',
      'Orvane names Maria Holm to its board',
    ],
    ['Orvane', 'Maria Holm, CEO, is stepping down from this role.', 'Orvane loses its CEO Maria Holm'],
    ['Orvane', 'Orvane raises $6m, hires first CFO', 'Orvane names a new CFO'],
  ])
  assertClaims('ipo', [
    ['Orvane', 'Orvane has filed to uplist to Nasdaq, aiming to grow.', 'Orvane files to list on Nasdaq'],
    [
      'Orvane',
      'We have applied to list our shares on the New York Stock Exchange.',
      'Orvane plans to list on the New York Stock Exchange',
    ],
    ['Orvane', 'Orvane has set the price of its offering at €14.20 a share.', 'Orvane prices its shares at €14.20'],
    ['Orvane', 'Orvane Rakes in $425m During its IPO', 'Orvane raises $425m in its IPO'],
  ])
  assertClaims('security_incident', [
    ['Orvane', 'Files of 3,100 members were stolen.', 'Orvane had a breach that affects 3,100 members'],
    ['Orvane', 'Orvane confirms passenger data theft', 'Orvane had data stolen'],
    ['Orvane', 'University warns students of phishing after Orvane news', 'Orvane had a security incident'],
  ])
})

test('a rank is claimed with its restriction, or not at all', () => {
  assertClaims('expansion', [
    [
      'Orvane',
      'GDAŃSK, 3 October 2026 – Orvane has opened its first production site outside Norway.',
      'Orvane opens its first production site outside Norway',
    ],
    [
      'Orvane',
      'Orvane has opened a second hall outside the port with room for nine.',
      'Orvane opens a second hall outside the port',
    ],
    ['Orvane', 'Orvane has opened its first production site in ten years for cars.', 'Orvane opens a production site'],
    ['Orvane', 'Orvane opened its first production halls where they are needed.', 'Orvane opens production halls'],
    ['Orvane', 'Orvane has opened its first production site on Monday.', 'Orvane opens its first production site'],
    ['Orvane', 'Orvane has opened its first production site.', 'Orvane opens its first production site'],
  ])
  assertClaims('product_launch', [
    [
      'Orvane',
      'Orvane launches its first rowing shoe for children.',
      'Orvane launches its first rowing shoe for children',
    ],
  ])
})
