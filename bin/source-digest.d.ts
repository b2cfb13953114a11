export function sourceDigest(): string
