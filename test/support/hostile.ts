/** So many make about the largest page that is read: dear however well it is read. */
const MOST_CARDS = 60_000

/** A page of people, each with a name of their own. */
export function dearPage(cards = MOST_CARDS): string {
  const letter = (n: number) => String.fromCharCode(97 + (n % 26))
  const name = (n: number) => `Ann B${letter(n)}${letter(n / 26)}${letter(n / 676)}son`
  const card = (n: number) => `<li><h3>${name(n)}</h3><p>Head of Sales</p></li>`
  return `<html><body><ul>${Array.from({ length: cards }, (_, n) => card(n)).join('')}</ul></body></html>`
}
