import { getPublicSuffix, parse } from 'tldts'
import { isFreeAddress } from '../engine/email-patterns/index.ts'
import { decodePercentEncoding } from '../engine/text/decode.ts'
import { foldText } from '../engine/text/fold.ts'
import { readWebLink, registrableDomain } from '../engine/text/web-address.ts'
import { normalizeDomain } from './domains.ts'

/** Sites where companies have a page: networks, directories, shops and hosts of pages. Their domain is not the company's. */
const NETWORKS = new Set(
  (
    'linkedin.com lnkd.in xing.com facebook.com fb.com fb.me m.me instagram.com twitter.com x.com t.co threads.net bsky.app ' +
    'youtube.com youtu.be tiktok.com vimeo.com pinterest.com snapchat.com reddit.com medium.com github.com gitlab.com ' +
    'crunchbase.com angel.co wellfound.com glassdoor.com glassdoor.de kununu.com indeed.com trustpilot.com yelp.com ' +
    'wikipedia.org linktr.ee goo.gl bit.ly maps.app.goo.gl wa.me whatsapp.com telegram.org t.me vk.com weibo.com viadeo.com ' +
    'g2.com capterra.com producthunt.com northdata.de northdata.com sites.google.com docs.google.com drive.google.com ' +
    'maps.google.com play.google.com apps.apple.com g.page notion.so notion.site about.me linkin.bio bio.link beacons.ai ' +
    'behance.net dribbble.com forms.gle substack.com wordpress.com blogspot.com weebly.com wixsite.com tumblr.com squarespace.com ' +
    'jimdosite.com jimdofree.com strikingly.com godaddysites.com webflow.io myshopify.com teamtailor.com zendesk.com'
  ).split(' '),
)

/** Email providers of single countries, which the engine's list of free providers lacks. */
const MAIL_PROVIDERS = new Set(
  (
    'wp.pl o2.pl onet.pl op.pl interia.pl poczta.fm gazeta.pl tlen.pl seznam.cz email.cz centrum.cz volny.cz azet.sk ' +
    'zoznam.sk abv.bg mail.bg freemail.hu citromail.hu yahoo.fr yahoo.it yahoo.es yahoo.de yahoo.ro hotmail.fr hotmail.de ' +
    'hotmail.it hotmail.es hotmail.co.uk outlook.de outlook.fr outlook.es live.fr live.de laposte.net sfr.fr virgilio.it ' +
    'tiscali.it alice.it pec.it legalmail.it sapo.pt telefonica.net freenet.de arcor.de aon.at chello.at bluewin.ch ' +
    'gmx.at gmx.ch hispeed.ch posteo.de mailbox.org telenet.be skynet.be inbox.lv siol.net otenet.gr btinternet.com mail.com'
  ).split(' '),
)

/** Top-level domains for examples and tests, which the list of public suffixes lacks. */
const RESERVED = new Set(['example', 'test', 'invalid'])

/** Whether a domain belongs to a network, a directory or an email provider, where many companies have a page or a mailbox. */
export function isSharedDomain(domain: string): boolean {
  const site = registrableDomain(domain) ?? domain
  return [domain, site].some((one) => NETWORKS.has(one) || MAIL_PROVIDERS.has(one) || isFreeAddress(`@${one}`))
}

/** What a web or email address says about a company. */
export type CompanyAddress = {
  kind: 'site' | 'profile' | 'person' | 'network' | 'email' | 'free email'
  /** The domain of the address. */
  domain: string
}

/**
 * Reads a text that is nothing but an address: the company's own site, its page at a professional network, a person's page
 * there, a page at another network, or an email address. Null for any other text, such as "Node.js".
 */
export function readCompanyAddress(text: string): CompanyAddress | null {
  const address = text.trim()
  if (address.length > 2_048 || !address.includes('.') || /[\s<>"]/.test(address)) return null
  const email = /^(?:mailto:)?[^\s@/:]{1,64}@([^\s@/]+)$/i.exec(address)
  const domain = normalizeDomain(email?.[1] ?? address)
  if (!domain || (address.includes('@') && !email) || !hasKnownSuffix(domain)) return null
  if (email) return { kind: isSharedDomain(domain) ? 'free email' : 'email', domain }
  if (!isSharedDomain(domain)) return { kind: 'site', domain }
  const site = registrableDomain(domain)
  const path = /^(?:[a-z]+:\/\/)?[^/]+(\/[^?#]*)?/i.exec(address)?.[1] ?? '/'
  if (site === 'linkedin.com' && /^\/(?:sales\/)?(?:company|school|showcase)\/[^/]/i.test(path))
    return { kind: 'profile', domain }
  if (site === 'xing.com' && /^\/(?:pages|companies|company)\/[^/]/i.test(path)) return { kind: 'profile', domain }
  if (site === 'linkedin.com' && /^\/(?:in|pub)\/[^/]/i.test(path)) return { kind: 'person', domain }
  if (site === 'xing.com' && /^\/profile\/[^/]/i.test(path)) return { kind: 'person', domain }
  return { kind: 'network', domain }
}

const hasKnownSuffix = (domain: string) => {
  const { isIcann, isPrivate, publicSuffix } = parse(domain, { allowPrivateDomains: true })
  return isIcann === true || isPrivate === true || RESERVED.has(publicSuffix ?? '')
}

/**
 * The company's own domain in a cell of a file, which may contain several addresses: "acme.example; linkedin.com/company/acme".
 * A network or email provider is the own domain only of the company with its name. Null without one.
 */
export function findOwnDomain(cell: string, name = ''): string | null {
  for (const part of cell.length > 4_096 ? [] : [cell, ...cell.split(/[\s,;|<>()]+/)]) {
    const found = readCompanyAddress(part)
    if (!found) continue
    if (found.kind === 'site' || found.kind === 'email') return found.domain
    const isBare = normalizeDomain(part.replace(/\/$/, '')) !== null && !/[^/:]\/[^/]|@/.test(part)
    if (isBare && foldText(name).replaceAll(/[^a-z0-9]/g, '') === siteLabel(found.domain)) return found.domain
  }
  return null
}

const siteLabel = (domain: string) => parse(domain).domainWithoutSuffix ?? domain.split('.')[0] ?? domain

/**
 * Whether a company's name is really an address: with a scheme, "www." or a path, or a domain in lower case. "Booking.com" is
 * a name.
 */
function isAddressName(name: string): boolean {
  const found = readCompanyAddress(name)
  if (!found) return false
  return /^[a-z]+:\/\/|^www\.|[/@]/i.test(name.trim()) || name === name.toLowerCase()
}

/** A readable name for a company of which only the address is known: "acme-tools.co.uk" is "Acme Tools". */
export function nameFromDomain(domain: string): string {
  const suffix = getPublicSuffix(domain, { allowPrivateDomains: true })
  const own = suffix && domain.endsWith(`.${suffix}`) ? domain.slice(0, -suffix.length - 1) : domain
  return titleCase(own.split('.').at(-1) ?? own) || domain
}

function titleCase(label: string): string {
  // The letters of an encoded label are not readable.
  if (label.startsWith('xn--')) return ''
  const words = label.split(/[-_+\s]+/).filter(Boolean)
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ')
}

/**
 * Corrects a company whose name is a pasted address: a web address becomes the domain unless one is given, a page at a
 * professional network the network URL, and the name is derived from the address.
 */
export function correctAddressName(name: string, domain: string | null) {
  const given = name.trim()
  const found = isAddressName(given) ? readCompanyAddress(given) : null
  if (!found) return { name: given, domain }
  const own = domain ?? (found.kind === 'site' || found.kind === 'email' ? found.domain : null)
  const profile = found.kind === 'profile' ? readWebLink(given) : null
  const page = decodePercentEncoding(/\/([^/?#]+)\/?(?:[?#].*)?$/.exec(given)?.[1] ?? '')
  return {
    name: own ? nameFromDomain(own) : titleCase(page) || given,
    domain: own,
    ...(profile ? { network_url: profile } : {}),
  }
}

/** Some CRMs name the option: "COMPUTER_SOFTWARE" is "Computer software". */
export function readIndustry(text: string | null): string | null {
  if (!text || !/^[A-Z]+(?:_[A-Z]+)+$/.test(text)) return text
  return text.charAt(0) + text.slice(1).toLowerCase().replaceAll('_', ' ')
}
