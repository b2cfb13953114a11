/** Opens a mailto: or tel: URL. A link of its own, because the card may leave the page before its link is followed. */
export function openUrl(url: string): void {
  const link = document.createElement('a')
  link.href = url
  document.body.append(link)
  link.click()
  link.remove()
}
