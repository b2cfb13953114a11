/** Does something that tells its own failures again and again, never twice at once, until it is disposed of. */
export function every(seconds: number, act: () => Promise<void>): AsyncDisposable {
  let acting: Promise<void> | null = null
  const timer = setInterval(() => {
    acting ??= act().finally(() => {
      acting = null
    })
  }, seconds * 1000)
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await acting
    },
  }
}
