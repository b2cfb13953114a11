/** A drafted message as one sends it: its markup is taken off, links stand behind their words. */
export function plainMessage(markdown: string): string {
  return markdown
    .replaceAll(/\[([^[\]\n]{0,500})\]\(([^()\s]{1,2000})\)/g, '$1 ($2)')
    .replaceAll(/(?<!\\)\*\*/g, '')
    .replaceAll(/\\([^\w\s])/g, '$1')
    .trim()
}
