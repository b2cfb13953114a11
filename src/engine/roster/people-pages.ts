import { canonicalUrl } from '../content/index.ts'
import { parseSerializedList } from '../json/parse-list.ts'
import { type SerializedList, serializeList } from '../json/serialized-list.ts'
import { mergeMentions, type PagePerson, readFormerTitle } from '../page/index.ts'
import { commonCountry, parseLocation } from '../places/index.ts'
import type { FoundPerson } from './types.ts'

export type PeoplePage = { url: string; people: SerializedList<PagePerson> }

/** Limit for all pages of a site together. */
export const MAX_MENTIONS = 10_000

type Mention = PagePerson & { url: string; email_url?: string; phone_url?: string }

/** Merges the people of a company's pages. A value from an earlier page is kept; later pages fill gaps. */
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
    // A title at a former employer is no title at this company.
    ...(former && !former.title ? { headline: title } : { title: former?.title ?? title }),
    url: email_url ?? url,
    shown_url: canonicalUrl(url),
    ...(network_url ? { network_url } : {}),
    ...(email ? { email } : {}),
    ...(phone ? { phone, phone_url: phone_url ?? url } : {}),
    ...(image ? { profile_picture_url: image } : {}),
    // The page has no date of departure, so the date of the visit is used. A current title would have replaced this one.
    ...(former?.title ? { left_on: today } : {}),
  }
}
