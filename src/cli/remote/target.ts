import { isPublicAddress } from '../../outbound/addresses.ts'
import { CliError, EXIT_CODES } from '../terminal/exit-codes.ts'
import { processIo, type TerminalIo } from '../terminal/io.ts'
import { type Profile, readProfiles, requireProfile } from './profiles.ts'

export type TargetOptions = { url?: string; key?: string; profile?: string; insecure?: boolean }
export type ServiceTarget = { url: string; key: string }

export const DEFAULT_SERVICE_URL = 'http://127.0.0.1:3000'

const SETUP_HELP = `Choose a service:
  bellwether login --url https://bellwether.example.com    once: prompts for your key and stores it
  BELLWETHER_URL and BELLWETHER_KEY in the environment     for scripts
An admin creates a key in the console under Settings, API keys, or with "bellwether keys create" where the service runs.`

/**
 * The address of the service and the key: from the options, the environment or a profile, in this order. The key of a
 * profile is sent only to the address of that profile. Throws a CliError with the next step.
 */
export async function resolveTarget(
  options: TargetOptions,
  env: TerminalIo['env'] = processIo().env,
): Promise<ServiceTarget> {
  const { url, key, insecure } = chooseTarget(options, env)
  return { url: requireSafeUrl(url, insecure), key: requireKey(key) }
}

function chooseTarget(options: TargetOptions, env: TerminalIo['env']): Profile {
  const insecure = options.insecure ?? false
  if (options.profile) return applyOptions(requireProfile(readProfiles(env), options.profile), options)
  const url = options.url ?? (env.BELLWETHER_URL || undefined)
  const key = options.key ?? (env.BELLWETHER_KEY || undefined)
  if (url && key) return { url, key, insecure }
  const stored = readProfiles(env)
  if (env.BELLWETHER_PROFILE)
    return applyOptions(requireProfile(stored, env.BELLWETHER_PROFILE), {
      ...(url ? { url } : {}),
      ...(key ? { key } : {}),
      insecure,
    })
  if (key) return { url: DEFAULT_SERVICE_URL, key, insecure }
  if (!url && stored.current) return applyOptions(requireProfile(stored, stored.current), options)
  if (!url) throw new CliError(EXIT_CODES.not_allowed, `No service is configured yet. ${SETUP_HELP}`)
  const same = Object.values(stored.profiles).find((profile) => sameAddress(profile.url, url))
  if (same) return applyOptions(same, options)
  throw new CliError(EXIT_CODES.not_allowed, `There is no key for ${url}. ${SETUP_HELP}`)
}

/** A profile with the given options applied. */
function applyOptions(profile: Profile, { url, key, insecure }: TargetOptions): Profile {
  if (url && !key && !sameAddress(url, profile.url))
    throw new CliError(EXIT_CODES.usage, `The key of this profile is for ${profile.url} and is not sent to ${url}.`)
  return { url: url ?? profile.url, key: key ?? profile.key, insecure: insecure || profile.insecure || false }
}

function sameAddress(a: string, b: string): boolean {
  return URL.canParse(a) && URL.canParse(b) && new URL(a).href === new URL(b).href
}

/** The normalized address, if a key may be sent there. Throws a CliError otherwise. */
export function requireSafeUrl(text: string, insecure = false): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !/^https?:$/.test(url.protocol))
    throw new CliError(EXIT_CODES.usage, `${text} is not a URL such as https://bellwether.example.com.`)
  if (url.protocol === 'http:' && !insecure && !isPrivateHost(url.hostname))
    throw new CliError(
      EXIT_CODES.usage,
      `${text} is plain http: your key could be intercepted. Use https, or --insecure to send it anyway.`,
    )
  return url.origin + url.pathname.replace(/\/+$/, '')
}

/** The trimmed key, if it can be sent in a header. Throws a CliError otherwise. */
export function requireKey(text: string): string {
  const key = text.trim()
  if (/^[\x21-\x7e]+$/.test(key)) return key
  throw new CliError(EXIT_CODES.usage, key ? 'The key contains invalid characters.' : 'The key is empty.')
}

/** Whether a host is this machine or in a private network: private addresses, names without a dot, and reserved suffixes. */
function isPrivateHost(hostname: string): boolean {
  const address = hostname.replace(/^\[|\]$/g, '')
  if (/^[\d.]+$|:/.test(address)) return !isPublicAddress(address)
  return !address.includes('.') || /\.(localhost|local|internal)$/.test(address)
}
