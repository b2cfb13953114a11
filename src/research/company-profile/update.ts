import type { Deps } from '../../deps/deps.ts'
import type { UpdateCompanyProfile } from '../../resources/company-profile/schema.ts'
import {
  getCompanyProfile,
  lockCompanyProfile,
  type SellerFields,
  saveSeller,
} from '../../resources/company-profile/store.ts'
import { changedFields } from '../../shared/changed-fields.ts'
import { AppError } from '../../shared/errors.ts'
import { enqueueKnowledgeUpdate } from '../knowledge-base/apply.ts'

/** Changes what drafts say about the workspace's company; they are written again in the background. Throws invalid_request. */
export function updateCompanyProfile(
  { db, jobs }: Pick<Deps, 'db' | 'jobs'>,
  workspaceId: string,
  wanted: UpdateCompanyProfile,
) {
  const given = toSellerFields(wanted)
  return db.transaction().execute(async (db) => {
    // Not the workspace: reading the site locks the profile before the workspace.
    const { is_name_set: _, ...known } = await lockCompanyProfile(db, workspaceId)
    const fields: Partial<SellerFields> = changedFields(known, given)
    if (fields.name !== undefined) fields.is_name_set = true
    if (Object.keys(fields).length > 0) {
      await saveSeller(db, workspaceId, fields)
      await enqueueKnowledgeUpdate({ db, jobs }, workspaceId)
    }
    return getCompanyProfile(db, workspaceId)
  })
}

function toSellerFields({ name, products, proofs }: UpdateCompanyProfile): Partial<SellerFields> {
  const fields: Partial<SellerFields> = {}
  if (name !== undefined) fields.name = name.trim()
  if (products) fields.products = [...new Set(products.map((product) => product.trim()))]
  if (proofs) {
    fields.proofs = proofs.map(({ customer, result, industry, min_employees = null, max_employees = null }, at) => {
      if (min_employees !== null && max_employees !== null && min_employees > max_employees) {
        const message = 'must not be smaller than the minimum'
        const path = `proofs.${at}.max_employees`
        throw new AppError('invalid_request', `${path} ${message}.`, { details: [{ path, message }] })
      }
      return {
        customer: customer.trim(),
        result: result.trim(),
        industry: industry?.trim() || null,
        min_employees,
        max_employees,
      }
    })
  }
  return fields
}
