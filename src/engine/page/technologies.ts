import { getDomain } from 'tldts'
import { type DetectedTechnology, detectTechnologies, type TechnologyHints } from '../technologies/index.ts'
import { absoluteUrl } from './addresses.ts'
import { type Element, walkElements } from './element.ts'

const MAX_ADDRESSES = 2_000
const MAX_SCRIPT_CHARS = 200_000

const LOADING = new Set(['stylesheet', 'preload', 'modulepreload', 'preconnect', 'dns-prefetch'])
const CODE = ['stylesheet', 'modulepreload']
/** Scripts also contain URLs of images and videos. */
const MEDIA = /\.(?:avif|gif|jpe?g|mp4|png|svg|webm|webp)$/i
const SCRIPT_TYPES = /^(?:|module|(?:text|application)\/(?:java|ecma)script)$/i
/** A URL in a script, with or without a scheme. No two repetitions match the same characters, so there is no backtracking. */
const IN_SCRIPT = /(?:\/\/|["'`])((?:[a-z0-9-]{1,63}\.){1,6}[a-z]{2,20})(\/[\w./-]{0,100})?/gi

/** The products that a page's source shows, by the hosts it loads from and by its generator. */
export function findTechnologies(root: Element, pageUrl: string): DetectedTechnology[] {
  const own = getDomain(pageUrl)
  const traces: TechnologyHints = { loads: [], generators: [], attributes: [] }
  const add = (host: string, path: string, isCode: boolean) => {
    if (traces.loads.length >= MAX_ADDRESSES) return
    traces.loads.push({ host, path, isOwn: own !== null && getDomain(host) === own, isCode })
  }
  let scripted = 0
  walkElements(root, (element) => {
    const { tag, attrs } = element
    if (tag === 'html') traces.attributes.push(...Object.keys(attrs))
    if (tag === 'meta' && attrs.name?.toLowerCase() === 'generator') traces.generators.push(attrs.content?.trim() ?? '')
    const address = loadedBy(element)
    const url = address ? URL.parse(absoluteUrl(address, pageUrl) ?? '') : null
    if (url) add(url.hostname, url.pathname, isCode(element))
    if (tag !== 'script' || attrs.src || !SCRIPT_TYPES.test(attrs.type?.trim() ?? '')) return undefined
    if (scripted >= MAX_SCRIPT_CHARS) return undefined
    const script = element.children.filter((child) => typeof child === 'string').join('')
    const read = script.slice(0, MAX_SCRIPT_CHARS - scripted).replaceAll('\\/', '/')
    scripted += script.length
    for (const [, host = '', path = '/'] of read.matchAll(IN_SCRIPT)) {
      add(host.toLowerCase(), path, !MEDIA.test(path))
    }
    return undefined
  })
  return detectTechnologies(traces)
}

/** Whether an element loads a script or a stylesheet. */
function isCode({ tag, attrs }: Element): boolean {
  if (tag !== 'link') return tag === 'script'
  const rels = relsOf(attrs)
  return (
    CODE.some((rel) => rels.includes(rel)) || (rels.includes('preload') && /^(?:script|style)$/i.test(attrs.as ?? ''))
  )
}

/** The URL that an element makes the browser load or submit to. */
function loadedBy({ tag, attrs }: Element): string | undefined {
  if (tag === 'script' || tag === 'iframe' || tag === 'img') return attrs.src
  if (tag === 'form') return attrs.action
  if (tag !== 'link') return undefined
  return relsOf(attrs).some((rel) => LOADING.has(rel)) ? attrs.href : undefined
}

const relsOf = ({ rel = '' }: Element['attrs']): string[] => rel.toLowerCase().split(/\s+/)
