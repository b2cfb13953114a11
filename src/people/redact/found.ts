import type { Evidence } from '../../db/schema.ts'
import type { Deps } from '../../deps.ts'
import { type Redactor, redactorFor } from './redactor.ts'

type Parts = Pick<Deps, 'db' | 'secrets'>
type Document = {
  url: string
  title: string | null
  text: string
  tells?: readonly { signal_id: string; claim: string }[] | null
}
type Finding = Pick<Evidence, 'claim' | 'quote' | 'details'> & { source_url: string; context?: string }
type Opening = { url: string; title: string; location: string | null }
type Found = {
  documents?: readonly Document[]
  findings?: readonly Finding[]
  firmographics?: readonly object[]
  hiring?: { openings: readonly Opening[] }
}

/** What was found out about an account without those who were erased: they are not stored again, in no text. */
export async function withoutErased<T extends Found>(
  parts: Parts,
  workspaceId: string,
  accountId: string | null,
  found: T,
): Promise<T> {
  const { documents = [], findings = [], firmographics = [], hiring } = found
  const texts = [
    ...documents.flatMap(({ url, title, text, tells }) => [
      url,
      title,
      text,
      ...(tells ?? []).map(({ claim }) => claim),
    ]),
    ...findings.flatMap(({ claim, quote, source_url }) => [claim, quote, source_url]),
    ...firmographics.map(descriptionOf),
    ...(hiring?.openings ?? []).flatMap(({ url, title, location }) => [url, title, location]),
  ]
  const redactor = await redactorFor(parts, workspaceId, accountId, texts)
  if (!redactor) return found
  const kept = documents
    .filter(({ url }) => !redactor.isTheirs(url))
    .map((document) => {
      const { url, title, text } = document
      // The text before its title, which may have the surname alone.
      const redacted = redactor.text(text, url)
      const tells = document.tells?.map((told) => ({ ...told, claim: redactor.text(told.claim, url) }))
      return {
        ...document,
        ...{ text: redacted, title: redactor.text(title, url), url: redactor.url(url) },
        ...(tells && { tells }),
      }
    })
  return {
    ...found,
    ...(found.documents ? { documents: kept } : {}),
    ...(found.findings ? { findings: findings.map((one) => findingOf(one)) } : {}),
    ...(hiring ? { hiring: { ...hiring, openings: hiring.openings.map((one) => openingOf(one)) } } : {}),
    ...(found.firmographics ? { firmographics: firmographics.map((one) => profileOf(one)) } : {}),
  }

  function findingOf(finding: Finding): Finding {
    const { source_url } = finding
    const proof = redactor?.proof(finding) ?? finding
    return proof.context === undefined ? proof : { ...proof, context: redactor?.text(proof.context, source_url) ?? '' }
  }

  function openingOf(opening: Opening): Opening {
    return redactor ? openingWithout(redactor, opening) : opening
  }

  function profileOf(profile: object): object {
    const text = descriptionOf(profile)
    return text === null ? profile : { ...profile, short_description: redactor?.text(text) }
  }
}

/** An open position without those who were erased, whom its title may name. */
export function openingWithout<O extends Opening>(redactor: Redactor, opening: O): O {
  const { url, title, location } = opening
  return {
    ...opening,
    title: redactor.text(title, url),
    location: redactor.text(location, url),
    url: redactor.url(url),
  }
}

/** Events of a monitor, which quote what is new on a page, without those who were erased. */
export async function eventsWithoutErased<E extends { status: string; url: string; reason: string }>(
  parts: Parts,
  workspaceId: string,
  accountId: string,
  events: E[],
): Promise<E[]> {
  // The others say that nothing changed, or why a page could not be read.
  const telling = events.filter(({ status }) => status === 'changed')
  const texts = telling.flatMap(({ url, reason }) => [url, reason])
  const redactor = await redactorFor(parts, workspaceId, accountId, texts)
  if (!redactor) return events
  return events.map((event) =>
    event.status === 'changed'
      ? { ...event, url: redactor.url(event.url), reason: redactor.text(event.reason, event.url) }
      : event,
  )
}

/** A request for people as it may be kept: without those who were erased, at whichever company. */
export async function requestWithoutErased(parts: Parts, workspaceId: string, query: string): Promise<string> {
  const redactor = await redactorFor(parts, workspaceId, null, [query], { typed: true })
  return redactor ? redactor.text(query) : query
}

function descriptionOf(profile: object): string | null {
  const { short_description } = profile as { short_description?: unknown }
  return typeof short_description === 'string' ? short_description : null
}
