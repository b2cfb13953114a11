import { SetupError } from '../errors.ts'

/** Where the service is and the key for it. Throws SetupError with what to do. */
export async function resolveTarget(options: { url?: string; key?: string; profile?: string }): Promise<{
  url: string
  key: string
}> {
  const { url = 'http://127.0.0.1:3000', key } = options
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new SetupError(`${url} is not an address of a service, such as https://bellwether.example.com.`)
  }
  if (!key) throw new SetupError('There is no key for the service: set BELLWETHER_KEY, or name one with --key.')
  return { url, key }
}
