// Parsers for the values of environment variables. Each throws InvalidValueError for a value it does not accept.
import { normalizeDomain } from './domains.ts'

type Reader<T> = (value: string) => T

type Variable<T> = {
  /** Purpose of the variable, as printed in docs/configuration.md. */
  description: string
  /** Accepted values, completing "NAME must be …". */
  expected: string
  read: Reader<T>
  default: T
  /** Is also read from the file named by NAME_FILE, and never shown. */
  isSecret: boolean
}

export type Variables = Readonly<Record<string, Variable<unknown>>>

/** The parsed values of a set of variables. */
export type ValuesOf<V extends Variables> = { readonly [K in keyof V]: V[K]['default'] }

export const defineVariable = <T>(
  description: string,
  expected: string,
  fallback: T,
  read: Reader<T>,
): Variable<T> => ({
  description,
  expected,
  read,
  default: fallback,
  isSecret: false,
})

/** A variable whose value must not be shown; it can also be read from a file. */
export const defineSecret = <T>(...parts: Parameters<typeof defineVariable<T>>): Variable<T> => ({
  ...defineVariable<T>(...parts),
  isSecret: true,
})

/** Thrown by parsers; `loadConfig` turns it into one line that names the variable, or one for each of `problems`. */
export class InvalidValueError extends Error {
  /** Each completes the name of the variable: the path inside its value, and what to write there. */
  readonly problems: readonly string[]

  constructor(problems: readonly string[] = []) {
    super()
    this.problems = problems
  }
}

export const integer = (min: number, max: number) => (value: string) => {
  const number = Number(value)
  if (!/^\d+$/.test(value) || number < min || number > max) throw new InvalidValueError()
  return number
}

export const oneOf =
  <const T extends string>(...values: T[]) =>
  (value: string) => {
    if (!(values as string[]).includes(value)) throw new InvalidValueError()
    return value as T
  }

export const matchPattern = (test: RegExp) => (value: string) => {
  if (!test.test(value)) throw new InvalidValueError()
  return value
}

export const parseHttpUrl = (value: string) => {
  if (!URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol)) throw new InvalidValueError()
  return value.replace(/\/+$/, '')
}

export const parseSecretsKey = (value: string) => {
  const key = /^[0-9a-f]{64}$/i.test(value) ? Buffer.from(value, 'hex') : Buffer.from(value, 'base64')
  if (key.length !== 32) throw new InvalidValueError()
  return key
}

/** An address that can be sent to a mail server without quoting. */
export const EMAIL_ADDRESS = /^[\w.+-]{1,64}@[\w-]{1,63}(\.[\w-]{1,63})+$/

export type Mailbox = { name: string; address: string }

/** `address`, or `Name <address>`. */
export const parseMailbox = (value: string): Mailbox => {
  const [, name = '', address = value] = /^([^\p{Cc}<>"]{0,100})<([^<>]+)>$/u.exec(value) ?? []
  return { name: name.trim(), address: matchPattern(EMAIL_ADDRESS)(address) }
}

/** The URL of a mail server, with a percent-encoded user name and password. */
export const parseSmtpUrl = (value: string) => {
  const url = URL.parse(value)
  if (!url || !/^smtps?:$/.test(url.protocol) || !url.hostname || !/^\/?$/.test(url.pathname + url.search + url.hash))
    throw new InvalidValueError()
  if (![url.username, url.password].every(isPercentEncoded)) throw new InvalidValueError()
  return value
}

function isPercentEncoded(text: string): boolean {
  try {
    return !/\p{Cc}/u.test(decodeURIComponent(text))
  } catch {
    // A percent sign without two hexadecimal digits, or bytes that are not UTF-8.
    return false
  }
}

/** Exact `host:port` pairs; an IPv6 address is in brackets. */
export const parseHostPorts = (value: string) =>
  new Set(
    value.split(',').flatMap((item) => {
      const pair = item.trim().toLowerCase()
      if (!pair) return []
      if (!/^(\[[0-9a-f:.]+\]|[a-z0-9._-]+):\d{1,5}$/.test(pair)) throw new InvalidValueError()
      return [pair]
    }),
  )

/** Host names without a port. */
export const parseHostNames = (value: string) =>
  new Set(
    value.split(',').flatMap((item) => {
      const name = item.trim().toLowerCase()
      if (!name) return []
      return [matchPattern(/^[a-z0-9._-]+$/)(name)]
    }),
  )

const HOST_PORT = /^(\*|\[[0-9a-f:.]+\]|[a-z0-9._-]+):\d{1,5}$/

export const parseConnectTo = (value: string) =>
  new Map(
    value.split(',').flatMap((item) => {
      const [from, to, ...rest] = item.trim().toLowerCase().split('=')
      if (!from) return []
      if (!to || rest.length > 0 || !HOST_PORT.test(from) || !HOST_PORT.test(to) || to.startsWith('*'))
        throw new InvalidValueError()
      return [[from, to] as const]
    }),
  )

export const parseDomain = (value: string) => {
  const found = normalizeDomain(value)
  if (!found) throw new InvalidValueError()
  return found
}

export const parseBoolean = (value: string) => oneOf('true', 'false')(value) === 'true'
