/** The lines of a short text in Markdown without its marks: it is shown as text, whoever wrote it. */
export function plainText(markdown: string): string[] {
  return markdown
    .split('\n')
    .map((line) =>
      line
        .replace(/^\s*(?:[-*+]|#{1,6}|\d+\.)\s+/, '')
        .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .replaceAll(/(\*\*|__|\*|`)(.+?)\1/g, '$2')
        .trim(),
    )
    .filter(Boolean)
}
