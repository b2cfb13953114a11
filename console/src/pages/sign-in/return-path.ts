const KEY = 'bellwether-return-path'

/** Keeps the requested page in this tab while the member is at the sign-in provider. */
export function saveReturnPath(to: string | undefined): void {
  if (to) window.sessionStorage.setItem(KEY, to)
  else window.sessionStorage.removeItem(KEY)
}

/** Returns the page that was requested before the sign-in provider, once. */
export function takeReturnPath(): string | undefined {
  const to = window.sessionStorage.getItem(KEY) ?? undefined
  window.sessionStorage.removeItem(KEY)
  return to
}

/** Whether it is a path of this console, to prevent an open redirect. */
export const isOwnPath = (to: string): boolean => to.startsWith('/') && !/^\/[/\\]/.test(to)
