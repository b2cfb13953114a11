// How the values of environment variables are read: each reader throws Refused for what it does not take.
import { normalizeDomain } from './domains.ts'

type Reader<T> = (value: string) => T

type Variable<T> = {
  /** What the variable is for, as docs/configuration.md says it. */
  about: string
  /** What it takes, completing "NAME must be …". */
  takes: string
  read: Reader<T>
  default: T
}

export type Variables = Readonly<Record<string, Variable<unknown>>>

/** What reading some variables gives. */
export type ValuesOf<V extends Variables> = { readonly [K in keyof V]: V[K]['default'] }

export const variable = <T>(about: string, takes: string, fallback: T, read: Reader<T>): Variable<T> => ({
  about,
  takes,
  read,
  default: fallback,
})

/** Thrown by readers; `loadConfig` turns it into one line that names the variable. */
export class Refused extends Error {}

export const integer = (min: number, max: number) => (value: string) => {
  const number = Number(value)
  if (!/^\d+$/.test(value) || number < min || number > max) throw new Refused()
  return number
}

export const oneOf =
  <const T extends string>(...values: T[]) =>
  (value: string) => {
    if (!(values as string[]).includes(value)) throw new Refused()
    return value as T
  }

export const text = (test: RegExp) => (value: string) => {
  if (!test.test(value)) throw new Refused()
  return value
}

export const httpUrl = (value: string) => {
  if (!URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol)) throw new Refused()
  return value.replace(/\/+$/, '')
}

export const secretsKey = (value: string) => {
  const key = /^[0-9a-f]{64}$/i.test(value) ? Buffer.from(value, 'hex') : Buffer.from(value, 'base64')
  if (key.length !== 32) throw new Refused()
  return key
}

/** An address that can be named to a mail server as it is. */
export const EMAIL_ADDRESS = /^[\w.+-]{1,64}@[\w-]{1,63}(\.[\w-]{1,63})+$/

/** Exact `host:port` pairs; an IPv6 address stands in brackets. */
export const hostPorts = (value: string) =>
  new Set(
    value.split(',').flatMap((item) => {
      const pair = item.trim().toLowerCase()
      if (!pair) return []
      if (!/^(\[[0-9a-f:.]+\]|[a-z0-9._-]+):\d{1,5}$/.test(pair)) throw new Refused()
      return [pair]
    }),
  )

/** Names without a port. */
export const hostNames = (value: string) =>
  new Set(
    value.split(',').flatMap((item) => {
      const name = item.trim().toLowerCase()
      if (!name) return []
      return [text(/^[a-z0-9._-]+$/)(name)]
    }),
  )

const HOST_PORT = /^(\*|\[[0-9a-f:.]+\]|[a-z0-9._-]+):\d{1,5}$/

export const connectTo = (value: string) =>
  new Map(
    value.split(',').flatMap((item) => {
      const [from, to, ...rest] = item.trim().toLowerCase().split('=')
      if (!from) return []
      if (!to || rest.length > 0 || !HOST_PORT.test(from) || !HOST_PORT.test(to) || to.startsWith('*'))
        throw new Refused()
      return [[from, to] as const]
    }),
  )

export const domain = (value: string) => {
  const found = normalizeDomain(value)
  if (!found) throw new Refused()
  return found
}

export const yesOrNo = (value: string) => oneOf('true', 'false')(value) === 'true'
