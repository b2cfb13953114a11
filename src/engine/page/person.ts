import type { Element } from './tree.ts'

export type PagePerson = {
  full_name: string
  title: string
  network_url?: string
  email?: string
  phone?: string
  image?: string
}
/** A name beside a title, and the element that holds the name. */
export type Pair = { full_name: string; title: string; element: Element }
