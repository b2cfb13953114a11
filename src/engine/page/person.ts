import type { Element } from './element.ts'

export type PagePerson = {
  full_name: string
  title: string
  network_url?: string
  email?: string
  phone?: string
  image?: string
  /** What their card says about them, beside the title. */
  headline?: string
  /** Where their card says they are, as it writes it. */
  location?: string
}
/** A name beside a title, and the element that holds the name. */
export type NameTitlePair = {
  full_name: string
  title: string
  element: Element
  /** Where a column of the table says they are. */
  location?: string
}
