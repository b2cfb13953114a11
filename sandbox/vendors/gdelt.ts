import { createHash } from 'node:crypto'
import { crc32, deflateRawSync } from 'node:zlib'
import type { SandboxRequest, SandboxResponse, Story, Vendor, World } from '../types.ts'
import { escapeHtml } from './boards.ts'

const FOLDER = '/data.gdeltproject.org/gdeltv2/'
const PERIOD_MS = 15 * 60_000
/** The list begins in 2015; a reader needs its end. */
const LISTED_DAYS = 3

/**
 * The files of the GDELT Project: http://data.gdeltproject.org/documentation/GDELT-Global_Knowledge_Graph_Codebook-V2.1.pdf
 * and GDELT-Event_Codebook-V2.0.pdf. A story of today is in the newest file, another one in that of noon.
 */
export const gdelt: Vendor = {
  name: 'gdelt',
  hosts: ['storage.googleapis.com'],
  answer(request, world) {
    const { pathname } = request.url
    if (!pathname.startsWith(FOLDER)) return missing()
    const file = pathname.slice(FOLDER.length)
    const latest = latestOf(world)
    if (file === 'lastupdate.txt') return text(linesOf(latest, world))
    if (file === 'masterfilelist.txt') return end(request, listOf(latest, world))
    const [, stamp = '', kind] = /^(\d{14})\.(gkg\.csv|mentions\.CSV)\.zip$/.exec(file) ?? []
    const time = timeOf(stamp)
    if (!kind || time > latest || time <= latest - LISTED_DAYS * 86_400_000 || time % PERIOD_MS !== 0) return missing()
    const files = filesOf(time, latest, world)
    const body = kind === 'gkg.csv' ? files.articles : files.mentions
    return { status: 200, headers: { 'content-type': 'application/zip' }, body }
  },
}

const missing = () => ({ status: 404, headers: { 'content-type': 'application/xml' }, body: '<Code>NoSuchKey</Code>' })
const text = (body: string) => ({ status: 200, headers: { 'content-type': 'text/plain' }, body })

function end(request: SandboxRequest, body: string): SandboxResponse {
  const bytes = Number(/^bytes=-(\d+)$/.exec(request.headers.range ?? '')?.[1] ?? 0)
  return bytes > 0 && bytes < body.length ? { ...text(body.slice(-bytes)), status: 206 } : text(body)
}

function latestOf({ today }: World): number {
  const now = Date.now()
  const end = Date.parse(today) + 86_400_000 - 1
  return Math.floor(Math.min(now, end) / PERIOD_MS) * PERIOD_MS
}

const stampOf = (time: number) => new Date(time).toISOString().replaceAll(/\D/g, '').slice(0, 14)
const timeOf = (stamp: string) => Date.parse(stamp.replace(/^(....)(..)(..)(..)(..)(..)$/, '$1-$2-$3T$4:$5:$6Z'))

function listOf(latest: number, world: World): string {
  const periods = (LISTED_DAYS * 86_400_000) / PERIOD_MS
  return Array.from({ length: periods }, (_, i) => linesOf(latest - (periods - 1 - i) * PERIOD_MS, world)).join('')
}

/** `lines`: the size, the checksum and the address of the three files of a period. */
type Files = { articles: Buffer; mentions: Buffer; lines: string }

const linesOf = (time: number, world: World) => filesOf(time, latestOf(world), world).lines

/** Periods without a story are the same in every world. */
const withoutStories = new Map<number, Files>()
const MOST_KEPT = 1_000

function filesOf(time: number, latest: number, world: World): Files {
  const stories = world.stories.filter((story) => timeOfStory(story, latest, world) === time)
  const known = stories.length === 0 ? withoutStories.get(time) : undefined
  if (known) return known
  const stamp = stampOf(time)
  const rows = [...FILLER, ...stories.map((story) => toArticle(story, world))]
  const articles = zip(`${stamp}.gkg.csv`, rows.map((row, n) => `${articleRow(row, stamp, n)}\n`).join(''))
  const mentions = zip(`${stamp}.mentions.CSV`, rows.flatMap((row, n) => mentionRows(row, stamp, n)).join(''))
  const line = (body: Buffer, kind: string) =>
    `${body.length} ${createHash('md5').update(body).digest('hex')} http://data.gdeltproject.org/gdeltv2/${stamp}.${kind}.zip\n`
  const lines = line(Buffer.from('export'), 'export.CSV') + line(mentions, 'mentions.CSV') + line(articles, 'gkg.csv')
  const files = { articles, mentions, lines }
  if (stories.length === 0) {
    if (withoutStories.size >= MOST_KEPT) withoutStories.clear()
    withoutStories.set(time, files)
  }
  return files
}

function timeOfStory({ published, period }: Story, latest: number, { today }: World): number {
  if (period) return timeOf(period)
  return published === today ? latest : Date.parse(`${published}T12:00:00Z`)
}

/** One row of the Global Knowledge Graph. */
export type SandboxArticle = {
  url: string
  title: string
  organisations: readonly string[]
  /** Sites that report the same event. */
  outlets?: number
}

const FILLER: readonly SandboxArticle[] = [
  {
    url: 'https://the-valley-herald.example/weather',
    title: 'Rain expected across the valley until the weekend &#x2013; The Valley Herald',
    organisations: ['National Weather Service'],
  },
  { url: 'https://the-valley-herald.example/fair', title: 'Village fair opens with a parade', organisations: [] },
]

/** The organisations of a story: those it states, otherwise the company it is about. */
function toArticle({ url, title, about, organisations, outlets }: Story, { companies }: World): SandboxArticle {
  const name = companies.find(({ domain }) => domain === about)?.name ?? about
  return {
    ...{ url, title: escapeHtml(title), organisations: organisations ?? (name === '' ? [] : [name]) },
    ...(outlets === undefined ? {} : { outlets }),
  }
}

/** A row with the 27 columns of version 2.1. */
export function articleRow({ url, title, organisations }: SandboxArticle, stamp: string, n: number): string {
  const site = new URL(url).hostname
  const mentions = organisations.map((name, at) => `${name},${120 + at * 300}`).join(';')
  return [
    ...[`${stamp}-${n}`, stamp, '1', site, url, '', '', 'ECON_STOCKMARKET;LEADER;', 'LEADER,210;ECON_STOCKMARKET,96;'],
    ...['1#Norway#NO#NO#62#10#NO;', '1#Norway#NO#NO##62#10#NO#40;', 'ada pike', 'Ada Pike,77'],
    ...[organisations.map((name) => name.toLowerCase()).join(';'), mentions],
    ...['1.59362549800797,2.78884462151394,1.19521912350598,3.98406374501992,22.3107569721116,0,229', ''],
    ...[
      'wc:229,c1.3:1,c12.1:18,c12.10:23,c2.104:5,v10.1:0.251,v19.1:5.2',
      `https://${site}/picture.jpg`,
      '',
      '',
      '',
      '',
    ],
    ...['Ada Pike,77;Oslo,140', '38,million euros in,45;', ''],
    `<PAGE_LINKS>https://${site}/about</PAGE_LINKS><PAGE_TITLE>${title}</PAGE_TITLE>`,
  ].join('\t')
}

/** An event, mentioned by the article and by other sites: 16 columns each. */
function mentionRows({ url, outlets = 1 }: SandboxArticle, stamp: string, n: number): string[] {
  return Array.from({ length: outlets }, (_, at) => {
    const address = at === 0 ? url : `https://site-${at}.example/${n}`
    const site = new URL(address).hostname
    const places = ['3', '-1', '120', '140', '1']
    return `${[`12345${n}`, stamp, stamp, '1', site, address, ...places, '60', '2412', '1.59', '', ''].join('\t')}\n`
  })
}

/** An archive with one file, as zip programs write it. */
export function zip(name: string, content: string | Buffer): Buffer {
  const data = Buffer.from(content)
  const packed = deflateRawSync(data, { level: 1 })
  const entry = Buffer.alloc(26)
  entry.writeUInt16LE(20, 0)
  entry.writeUInt16LE(8, 4)
  entry.writeUInt32LE(crc32(data), 10)
  entry.writeUInt32LE(packed.length, 14)
  entry.writeUInt32LE(data.length, 18)
  entry.writeUInt16LE(name.length, 22)
  const local = Buffer.concat([Buffer.from('PK\x03\x04'), entry, Buffer.from(name)])
  const central = Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), entry, Buffer.alloc(14), Buffer.from(name)])
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(1, 8)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(local.length + packed.length, 16)
  return Buffer.concat([local, packed, central, end])
}
