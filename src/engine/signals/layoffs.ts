import type { SignalRecord } from './record.ts'

export const layoffs = {
  id: 'layoffs',
  name: 'Layoffs',
  description: 'The company cuts jobs or closes a site.',
  counts:
    'Counts for the company that cuts jobs, closes a site, shuts down, or becomes insolvent and stops operating. One person who leaves does not count, nor do job cuts elsewhere in its industry.',
  wordings: [
    'job cuts, redundancies, plant closures',
    'is laying people off',
    'shuts down or goes insolvent',
    'reduces its workforce',
    'closing of a factory, an office or a shop',
    'Staff are let go.',
    'downsizing and bankruptcy',
  ],
  color: 'red',
  seldomRepeats: true,
  namesLocation: true,
  sides: [
    {
      predicate: 'cuts jobs',
      clause: 'is cutting jobs',
      topic: 'the job cuts',
      frames: [
        ['anyone', '<cut> off? {share}', 'cut~ {share}'],
        ['anyone', '<cut> off? {heads}', 'cut~ {heads} jobs'],
        ['anyone', '{heads} <be>? <be>? lose|losing|lost', 'cut~ {heads} jobs'],
        ['anyone', '{heads} <be>? <be>? <be>? <cut>', 'cut~ {heads} jobs'],
        ['company', '<shut> down? {site} in {place}', 'close~ {site} in {place}'],
        ['anyone', '<cut> off? … {heads}', 'cut~ {heads} jobs'],
        ['anyone', '{heads} … <loses>', 'cut~ {heads} jobs'],
        ['anyone', 'loss|layoff|layoffs|costing|redundancy of? {heads}', 'cut~ {heads} jobs'],
        ['company', '<cut> off? {number}', 'cut~ {number} jobs'],
        ['company', '<cut> {percentage}', 'cut~ its workforce by {percentage}'],
        ['company', 'let|lets|letting {heads} go', 'cut~ {heads} jobs'],
        ['anyone', '{heads} leave', 'cut~ {heads} jobs'],
        ['anyone', '{heads} … notice', 'cut~ {heads} jobs'],
        ['company', 'shuts|shut|closes|closed|shutters|shuttered {site}', 'close~ {site}'],
        ['anyone', 'workforce|staff|headcount by {percentage}', 'cut~ its workforce by {percentage}'],
        ['company', '<shut> down? {premises}', 'close~ {premises}'],
        ['company', 'close|shut {infinitive} {premises}', 'close~ {premises}'],
        ['company', 'files|filed|filing … for bankruptcy', 'file~ for bankruptcy'],
        ['company', 'files|filed|filing … under|for chapter', 'file~ for bankruptcy'],
      ],
    },
  ],
  headline: {
    phrases: ['lays off', 'layoffs', 'cuts jobs', 'job cuts'],
    event:
      /^(?:lays off|laid off|to lay off|is laying off|(?:cuts|to cut|cutting|slashes|to slash|axes) .*\b(?:jobs|staff|workforce|employees|workers|roles|positions)|layoffs)/i,
  },
  draft: {
    kind: 'hardship',
    topics: [
      [/closes? (.+)$/, (site) => `the closure of ${site.replace(/^its /, 'the ')}`],
      [/bankruptcy/, 'the proceedings'],
    ],
    departments: ['Operations', 'Finance', 'Executive'],
    near: /\b(?:less|fewer|cost\w*|automat\w+|sav\w+|lean\w*|same team|without (?:more|extra|new))\b/i,
  },
} as const satisfies SignalRecord
