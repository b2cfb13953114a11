import { canonicalUrl } from '../content/index.ts'
import { parseSerializedList } from '../json/parse-list.ts'
import { type SerializedList, serializeList } from '../json/serialized-list.ts'
import { mergeMentions, type PagePerson, readFormerTitle } from '../page/index.ts'
import { commonCountry, parseLocation } from '../places/index.ts'
import type { FoundPerson } from './types.ts'

/** The people of one page. */
export type PeoplePage = { url: string; people: SerializedList<PagePerson> }

/** People that a site shows, on all its pages. */
export const MAX_MENTIONS = 10_000

type Mention = PagePerson & { url: string; email_url?: string; phone_url?: string }

/** Everybody whom pages of one company show, each once. What an earlier page says of somebody is kept; a later one fills gaps. */
export function mergePeoplePages({
  pages,
  today,
}: {
  pages: PeoplePage[]
  today: string
}): SerializedList<FoundPerson> {
  const mentions = pages.flatMap(({ url, people }) =>
    parseSerializedList(people).map(
      (person): Mention => ({
        ...person,
        url,
        ...(person.email ? { email_url: url } : {}),
        ...(person.phone ? { phone_url: url } : {}),
      }),
    ),
  )
  return serializeList(mergeMentions(mentions.slice(0, MAX_MENTIONS)).map((mention) => toFound(mention, today)))
}

function toFound(mention: Mention, today: string): FoundPerson {
  const { full_name, title, network_url, email, phone, image, headline, location, url, email_url, phone_url } = mention
  const country = commonCountry(parseLocation(location ?? null))
  const former = readFormerTitle(title)
  return {
    full_name,
    ...(headline ? { headline } : {}),
    ...(location ? { location } : {}),
    ...(country ? { country_code: country } : {}),
    // Where somebody came from is no title here.
    ...(former && !former.title ? { headline: title } : { title: former?.title ?? title }),
    url: email_url ?? url,
    shown_url: canonicalUrl(url),
    ...(network_url ? { network_url } : {}),
    ...(email ? { email } : {}),
    ...(phone ? { phone, phone_url: phone_url ?? url } : {}),
    ...(image ? { profile_picture_url: image } : {}),
    // The page does not say since when; it says so today. Any mention in office would have replaced this title.
    ...(former?.title ? { left_on: today } : {}),
  }
}
