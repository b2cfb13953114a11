import type { Element } from './element.ts'

export type PagePerson = {
  full_name: string
  title: string
  network_url?: string
  email?: string
  phone?: string
  image?: string
  /** A sentence about the person from their card. */
  headline?: string
  /** The location on their card, as written. */
  location?: string
}
/** A name next to a title, and the element that contains the name. */
export type NameTitlePair = {
  full_name: string
  title: string
  element: Element
  /** From a column of the table. */
  location?: string
}
