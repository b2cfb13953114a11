import { op, type Routes } from '../../http/operation.ts'
import { CompanyProfile } from './schema.ts'
import { getProfile } from './store.ts'

export const companyProfileRoutes: Routes = (app, { db }) => {
  app.get(
    '/company-profile',
    op('getCompanyProfile', {
      tag: 'Company profile',
      summary: 'Read the profile of your own company',
      data: CompanyProfile,
    }),
    (req) => getProfile(db, req.member.workspace_id),
  )
}
