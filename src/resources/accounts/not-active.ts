import { AppError } from '../../errors.ts'

export function notActive(): AppError {
  return new AppError('account_not_active', 'Only an active account can do this. Activate it first.')
}
