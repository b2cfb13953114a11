import { home, mailAt, teamPage } from './people.ts'
import { testService } from './service.ts'
import { testWorld } from './world.ts'

export const DOMAINS = ['north.example', 'south.example', 'west.example']

/** A service on an internet of small companies with teams and mail servers. `putUp` creates the initial sites. */
export async function findWorld() {
  const parts = await testWorld({
    mail: [
      mailAt('north.example', ['ada.pike', 'noor.falk']),
      mailAt('south.example', [], 'catch_all'),
      mailAt('west.example', ['gwen.reed']),
      mailAt('stuck.example', [], 'tarpit'),
      mailAt('grey.example', [], 'greylist_forever'),
      mailAt('money.example', ['cleo.hart', 'dora.lund']),
    ],
  })
  const putUp = () => {
    for (const [domain, pages] of Object.entries(SITES)) parts.sites.set(domain, { ...pages })
  }
  putUp()
  return { ...parts, putUp, service: await testService({ env: parts.env }) }
}

const SITES = {
  'north.example': {
    '/': home(),
    '/team': teamPage([
      { name: 'Ada Pike', title: 'VP Sales' },
      { name: 'Noor Falk', title: 'Director of Sales' },
      { name: 'Ivo Lindt', title: 'Chief Executive Officer' },
      { name: 'Tess Noble', title: 'Warehouse Manager' },
    ]),
  },
  'south.example': {
    '/': home(),
    '/team': teamPage([
      { name: 'Lena Okafor', title: 'Chief Technology Officer' },
      { name: 'Tomas Moreno', title: 'Managing Director' },
    ]),
  },
  'west.example': {
    '/': home(),
    '/team': teamPage([
      { name: 'Gwen Reed', title: 'Head of Engineering' },
      { name: 'Hugo Stone', title: 'Former VP Sales' },
    ]),
  },
}

export type Contact = {
  id: string
  full_name: string
  icp_tier: number
  email: string | null
  email_reason: string | null
  source: string
}
export const namesOf = (contacts: Contact[]) => contacts.map(({ full_name, icp_tier }) => [full_name, icp_tier])
export const brief = (contacts: Contact[]) =>
  contacts.map(({ full_name, icp_tier, email }) => [full_name, icp_tier, email])
