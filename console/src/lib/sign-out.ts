import { api } from '../api/client.ts'

/** Ends a session of this browser, then signs out at its provider if it has one. */
export async function signOut(id: string): Promise<void> {
  const { data } = await api.DELETE('/v1/sessions/{id}', { params: { path: { id } } })
  // A full page load clears the query cache.
  window.location.assign(data?.data.sign_out_url ?? '/sign-in')
}
