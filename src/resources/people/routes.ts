import type { Static } from 'typebox'
import { sendCsv, wantsCsv } from '../../http/csv.ts'
import { type Allow, op, type Routes } from '../../http/operation.ts'
import { sendPage, sendRecord } from '../../http/page.ts'
import { clampPage, Deleted, deleted, IdParams } from '../../http/schema.ts'
import { readsSecrets, viewerOf } from '../../member.ts'
import { revealEmail } from '../../people/email/reveal-email.ts'
import { verificationConfig, whyUnverified } from '../../people/email/verification.ts'
import { revealPhone } from '../../people/phone/reveal-phone.ts'
import { syncRoster } from '../../people/roster/sync.ts'
import { accountsToSearch, find } from '../../people/search/find.ts'
import { previewRequest } from '../../people/search/preview.ts'
import { getSearch } from '../../people/search/search-store.ts'
import { requireOwnAccount } from '../accounts/own.ts'
import { OwnerAnswer } from '../accounts/schema.ts'
import { assignPerson } from './assign.ts'
import { erase } from './erase.ts'
import { exportPerson } from './export.ts'
import { ExportQuery, PersonExport } from './export-schema.ts'
import { listPeople, streamPeople } from './list-store.ts'
import * as schema from './schema.ts'
import { getPerson, PERSON_COLUMNS, PERSON_COMPUTED, readPersonText } from './store.ts'

const tag = 'People'
const params = IdParams
const CSV_COLUMNS = [...PERSON_COLUMNS, ...Object.keys(PERSON_COMPUTED)]

/** Throws not_found for whoever the caller may not see. */
const seenPerson: Allow = ({ db }, { member, params }) => getPerson(db, viewerOf(member), params.id)

export const peopleRoutes: Routes = (app, deps) => {
  const { db, lists } = deps

  app.get(
    '/people',
    op('listPeople', {
      tag,
      summary: 'List people, newest first',
      query: schema.PeopleQuery,
      page: schema.Person,
      etag: true,
      csv: true,
    }),
    (req, reply) => {
      const viewer = viewerOf(req.member)
      if (wantsCsv(req)) return sendCsv(reply, 'people', CSV_COLUMNS, streamPeople(db, viewer, req.query)) as never
      return sendPage(req, reply, lists, (reader) => listPeople(db, viewer, clampPage(req.query), reader))
    },
  )

  app.get(
    '/people/:id',
    op('getPerson', { tag, summary: 'Read a person and their lists', params, data: schema.PersonWithLists }),
    ({ member, params: { id } }, reply) => {
      const viewer = viewerOf(member)
      return sendRecord(reply, readPersonText(db, viewer, id), () => getPerson(db, viewer, id))
    },
  )

  app.delete(
    '/people/:id',
    op('erasePerson', {
      tag,
      summary: 'Erase a person and never store them again',
      params,
      data: Deleted,
      extension: true,
    }),
    async (req) => {
      await erase(deps, viewerOf(req.member), req.params.id)
      return deleted(req.params.id)
    },
  )

  app.get(
    '/people/:id/export',
    op('exportPerson', {
      tag,
      summary: 'Read everything that is held on a person',
      params,
      query: ExportQuery,
      data: PersonExport,
      extension: true,
    }),
    async (req) => {
      const held = await exportPerson(deps, viewerOf(req.member), req.params.id, req.query.page)
      if (readsSecrets(req.member)) return held
      // What a receiver answers may repeat the token in its URL.
      return { ...held, deliveries: held.deliveries.map((one) => ({ ...one, answer: null })) }
    },
  )

  app.put(
    '/people/:id/owner',
    op('setPersonOwner', {
      tag,
      summary: 'Assign an owner, or none',
      params,
      body: schema.SetPersonOwner,
      data: OwnerAnswer,
      errors: ['unknown_member'],
    }),
    (req) => assignPerson(deps, viewerOf(req.member), req.params.id, req.body.owner_id ?? null),
  )

  app.post(
    '/people/find',
    op('findPeople', {
      tag,
      summary: 'Find people at active accounts by a plain-English request',
      body: schema.FindPeople,
      data: schema.FoundPeople,
      errors: ['account_not_searchable'],
      allow: (deps, { member, body }) =>
        accountsToSearch(deps, viewerOf(member), body as Static<typeof schema.FindPeople>),
    }),
    async (req) => {
      const found = await find(deps, viewerOf(req.member), req.member.id, req.body)
      const unverified = whyUnverified(await verificationConfig(deps, req.member.workspace_id))
      const notices = [found.notice, unverified].filter((notice) => notice !== null)
      return { ...found, notice: notices.join(' ') || null }
    },
  )

  app.post(
    '/people/find/preview',
    op('previewFindPeople', {
      tag,
      summary: 'Read how a request for people is understood, before anybody is looked for',
      body: schema.PreviewFind,
      data: schema.UnderstoodRequest,
      changesNothing: true,
      extension: true,
    }),
    async (req) => previewRequest(deps.config, req.body.query),
  )

  app.get(
    '/people/searches/:id',
    op('getPeopleSearch', {
      tag,
      summary: 'Read what a search for people has found, also while it runs',
      params,
      data: schema.PeopleSearch,
      extension: true,
    }),
    (req) => getSearch(db, viewerOf(req.member), req.params.id),
  )

  app.post(
    '/people/sync',
    op('syncPeople', {
      tag,
      summary: 'Load or refresh the roster of an active account',
      body: schema.SyncPeople,
      data: schema.Synced,
      errors: ['not_found', 'account_not_active'],
      allow: (deps, { member, body }) =>
        requireOwnAccount(deps.db, member, (body as Static<typeof schema.SyncPeople>).account_id),
    }),
    (req) => syncRoster(deps, req.member.workspace_id, req.body.account_id),
  )

  app.post(
    '/people/:id/email',
    op('revealEmail', {
      tag,
      summary: 'Reveal the verified work email',
      params,
      data: schema.RevealedEmail,
      allow: seenPerson,
    }),
    (req) => revealEmail(deps, viewerOf(req.member), req.params.id),
  )

  app.post(
    '/people/:id/phone',
    op('revealPhone', {
      tag,
      summary: 'Reveal a phone number',
      params,
      data: schema.RevealedPhone,
      allow: seenPerson,
    }),
    (req) => revealPhone(deps, viewerOf(req.member), req.params.id),
  )
}
