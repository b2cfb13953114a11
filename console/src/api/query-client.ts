import { QueryClient } from '@tanstack/react-query'
import { ApiError } from './client.ts'

/** Retries server errors and rate limits with backoff; other client errors are final. */
function shouldRetry(failures: number, error: Error): boolean {
  if (error instanceof ApiError && error.status < 500 && error.status !== 429) return false
  return failures < 3
}

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: shouldRetry, staleTime: 10_000, refetchOnWindowFocus: true },
    mutations: { retry: false },
  },
})
