import { op, type Routes } from '../../http/operation.ts'
import { CompanyProfile, RefreshCompanyProfile, UpdateCompanyProfile } from '../../resources/company-profile/schema.ts'
import { getCompanyProfile } from '../../resources/company-profile/store.ts'
import { refreshProfile } from './refresh.ts'
import { updateCompanyProfile } from './update.ts'

const tag = 'Company profile'

export const companyProfileRoutes: Routes = (app, deps) => {
  app.get(
    '/company-profile',
    op('getCompanyProfile', { tag, summary: 'Read the profile of your own company', data: CompanyProfile }),
    (req) => getCompanyProfile(deps.db, req.member.workspace_id),
  )

  app.patch(
    '/company-profile',
    op('updateCompanyProfile', {
      shared: true,
      tag,
      summary: 'Change the name, the products and the proofs of your company',
      description:
        'Drafts use them. Lists are replaced as a whole. A change rewrites open drafts in the background, except those that were edited.',
      body: UpdateCompanyProfile,
      data: CompanyProfile,
      extension: true,
    }),
    (req) => updateCompanyProfile(deps, req.member.workspace_id, req.body),
  )

  app.post(
    '/company-profile/refresh',
    op('refreshCompanyProfile', {
      tag,
      summary: 'Read the site of your own company again',
      description:
        'Runs in the background: `refresh` shows the progress, `scraped_meta.read_at` changes at the end, and `scraped_meta.outcome` is the outcome. Sections of the knowledge base that were drafted from the site and not edited are replaced by new drafts.',
      body: RefreshCompanyProfile,
      data: CompanyProfile,
      status: [202],
      admin: true,
      extension: true,
    }),
    (req) => refreshProfile(deps, req.member.workspace_id, req.body),
  )
}
