import { queries } from './client.ts'

const SIGN_OFFS = { brief: 'Best,', warm: 'Warm regards,', formal: 'Kind regards,' } as const

/** How the signed-in member ends a message, as the service signs drafts of accounts with an owner; null if it is not known. */
export function useMySignature(): { signature: string | null; isMissing: boolean } {
  const { data } = queries.useQuery('get', '/v1/me/profile', {}, { staleTime: 60_000 })
  const profile = data?.data
  if (!profile?.is_complete) return { signature: null, isMissing: profile !== undefined }
  const { name, job_title, signature, tone, sign_off } = profile
  const lines = signature?.trim() || [name, job_title].filter(Boolean).join('\n')
  return { signature: `${sign_off ?? SIGN_OFFS[tone]}\n${lines}`, isMissing: false }
}
