import lines from './fillers.json' with { type: 'json' }

/** Words of a request that say nothing about whom it asks for. */
export const FILLERS = new Set(lines.flatMap((line) => line.split(' ')))
