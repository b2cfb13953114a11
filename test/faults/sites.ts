import { setTimeout as sleep } from 'node:timers/promises'
import type { Host } from '../../sandbox/internet.ts'
import { siteOf } from '../support/companies.ts'

const SYLLABLES = ['ba', 'do', 'fe', 'gi', 'ka', 'lu', 'mo', 'ne', 'pi', 'ra', 'so', 'tu', 've', 'zo']
/** The people at every company: names are unique only per company, so they may be the same. */
export const TEAM = ['Mara Lindqvist', 'Jonas Albrecht', 'Priya Raman']

let serial = 0

/** A company that is unique in the run: its name, and the domain of its site with one event and a team. */
export function newCompany(): { name: string; domain: string } {
  let text = ''
  for (let left = ++serial + 14 ** 3; left > 0; left = Math.floor(left / 14)) text += SYLLABLES[left % 14]
  return { name: nameOf(text), domain: `${text}.example` }
}

const nameOf = (label: string) => label[0]?.toUpperCase() + label.slice(1)

/** The sites of all companies, with the latency of a fast site. */
export const companySites: Host = async (request) => {
  const [label, top] = request.url.hostname.split('.')
  if (!label || top !== 'example') return null
  await sleep(20)
  return siteOf({ name: nameOf(label), events: { funding: 5 }, team: TEAM })(request)
}
