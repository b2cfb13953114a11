import type { SignalRecord } from './record.ts'

export const leadershipChange = {
  id: 'leadership_change',
  name: 'Leadership change',
  description: 'An executive joins, leaves or takes another role.',
  counts:
    "Counts for the company at which an executive, board member, partner or head of a function or region is appointed, promoted, joins, leaves, retires or dies in office. Awards to a person, ordinary employees, experts who are quoted, and places in a ranking of leaders do not count; neither does the person's former employer unless its own leader leaves.",
  wordings: [
    'new CEO, CFO or other executive',
    'change in the management or the board',
    'Somebody was appointed, promoted, resigned or retired at the top.',
    'new head of a department or region',
    'executive departures and appointments',
    'The company gets a new boss.',
    'board member steps down or is elected',
  ],
  color: 'blue',
  seldomRepeats: false,
  distinguishedBy: 'office',
  sides: [
    {
      predicate: 'changes its leadership',
      clause: 'is changing its leadership',
      topic: 'the change in leadership',
      frames: [
        ['company', '<appoint> {person} , as|to? the? {position} {over}', 'name~ {person} {position}'],
        ['company', 'announces|announced {person} as {position} {over}', 'name~ {person} {position}'],
        ['company', '<appoint> … {person} , as|to {position} {over}', 'name~ {person} {position}'],
        ['company', '<appoint> … {person} , to|as|joins {board}', 'name~ {person} to {board}'],
        ['company', '<appointment> of {person} , as|to {position} {over}', 'name~ {person} {position}'],
        ['company', '<appointment> of {person} , … , as {position} {over}', 'name~ {person} {position}'],
        ['company', '<appointment> of … {person} , to {board}', 'name~ {person} to {board}'],
        ['anyone', '{ours} {position} , {person} , <be>? <be>? <leave>', 'lose~ its {position} {person}'],
        ['anyone', '{ours} {position} , {person} , <be>? <be>? <step> down', 'lose~ its {position} {person}'],
        ['anyone', "{person} <be>? <be>? <step> down as {self's}? {position} {over}", 'lose~ its {position} {person}'],
        ['anyone', "{person} <be>? <be>? <leave> as {self's}? {position} {over}", 'lose~ its {position} {person}'],
        [
          'anyone',
          "{person} <be>? <be>? {passive} <appointed> as|to? {self's}? {position} {over}",
          'name~ {person} {position}',
        ],
        [
          'anyone',
          "{person} , … , <be>? <be>? {passive} <appointed> as|to? {self's}? {position} {over}",
          'name~ {person} {position}',
        ],
        ['anyone', '{person} <join> {self} as {position} {over}', 'name~ {person} {position}'],
        ['anyone', '{person} succeeds|replaces … as {position} {over}', 'name~ {person} {position}'],
        ['company', '<appoint> a? new|interim {position} {over}', 'name~ a new {position}'],
        ['company', '<appoint> {person}', 'appoint~ {person}'],
        ['company', '<appointment> of {person}', 'appoint~ {person}'],
        ['anyone', "{person} <join> {self's}? {board}", 'name~ {person} to {board}'],
        ['anyone', '<appoint> {person} , to|as {board}', 'name~ {person} to {board}'],
        ['anyone', "{person} <be>? <be>? <appointed> to {self's}? {board}", 'name~ {person} to {board}'],
        ['anyone', '{person} , … , <be>? joined|joins|join as {position} {over}', 'name~ {person} {position}'],
        ['anyone', '{person} to join as {position} {over}', 'name~ {person} {position}'],
        ['anyone', '{ours} {person} , {position} , <be>? <be>? <step> down', 'lose~ its {position} {person}'],
        ['anyone', "{person} , … , <join> {self's}? {board}", 'name~ {person} to {board}'],
        ['anyone', '<appointment> of {person} , to {board}', 'name~ {person} to {board}'],
        ['anyone', '<appointment> of {person} , as|to {position} {over}', 'name~ {person} {position}'],
        ['anyone', '<appoint> {person} , as|to the? {position} {over}', 'name~ {person} {position}'],
        [
          'anyone',
          '{person} <be>? joined|joins|join the|our|its? company|bank|firm|team|group as {position} {over}',
          'name~ {person} {position}',
        ],
        ['anyone', '{ours} {person} , {position} … , <be>? <be>? <leave>', 'lose~ its {position} {person}'],
        ['company', '<appointment> of a|its|the? new {position} {over}', 'name~ a new {position}'],
        ['company', 'adds|names|appoints|hires|named|appointed|hired {position} {over}', 'name~ a new {position}'],
        ['involved', '<appointment> of {person}', 'appoint~ {person}'],
        ['company', 'retains|retained|brings|brought {person}', 'appoint~ {person}'],
        ['anyone', '{person} becomes|become|as {position} {over}', 'name~ {person} {position}'],
        ['anyone', '{person} takes|took|take over as {position} {over}', 'name~ {person} {position}'],
        ['anyone', '{person} , joins|joined|join … as {position} {over}', 'name~ {person} {position}'],
        ['anyone', '{person} , assumes|assumed|assume the|its? role of {position} {over}', 'name~ {person} {position}'],
        ['company', 'made|makes {person} {position} {over}', 'name~ {person} {position}'],
        ['anyone', "{self's} {position} <be>? <be>? <leave>", 'lose~ its {position}'],
        ['anyone', "{self's} {position} <be>? <be>? steps|step|stepping|stepped|to down|leave", 'lose~ its {position}'],
        ['company', '<appoint> a|an|its|the? first|new|interim|next {position} {over}', 'name~ a new {position}'],
        ['company', 'poaches|poached|hires|hired|recruits|recruited|names|named {job}', 'appoint~ {job}'],
      ],
    },
  ],
  headline: {
    phrases: ['names CEO', 'appoints', 'CEO steps down', 'new CEO', 'hires CFO'],
    event:
      /^(?:(?:has )?(?:names|named|appoints|appointed|hires|hired|taps) .*\b(?:CEO|CFO|CTO|COO|CMO|CRO|CISO|chief|president|chair(?:man|woman)?)\b|(?:(?:co-?)?founder(?: and |\/))?(?:CEO|CFO|CTO|COO|president|chair(?:man|woman)?) .*\b(?:steps down|resigns|to step down|leaves|departs|ousted|fired|out)\b)/i,
  },
  draft: {
    kind: 'change',
    topics: [
      [
        /^(?!(?:plans to |agrees to )?loses? )(.+)$/,
        (claim, details) => {
          const [person] = details?.people ?? []
          if (!person || !details?.position || /\bboard\b/i.test(details.position.text)) return null
          return claim.includes(person.text) ? `the appointment of ${person.text}` : null
        },
      ],
      [/(?:names|name|appoint|has) a new (.+)$/, (position) => `the new ${position}`],
    ],
    departments: [],
    near: /\b(?:new leaders?|first (?:\d+ )?(?:days|months|quarter)|overview|visib\w+|insight\w*|plan\w*)\b/i,
    about: /\bnew leaders?\b/i,
  },
} as const satisfies SignalRecord
