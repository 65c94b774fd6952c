const words: readonly (readonly [RegExp, string])[] = [
  [/iPhone/, 'My iPhone'],
  [/iPad/, 'My iPad'],
  [/Android.*Mobile/, 'My phone'],
  [/Android/, 'My tablet'],
  [/CrOS/, 'My Chromebook'],
  [/Windows/, 'My Windows computer'],
  [/Mac OS X/, 'My Mac'],
  [/Linux/, 'My Linux computer'],
]

/** A name to begin with, for whatever this is. */
export const deviceWord = (userAgent: string): string => words.find(([pattern]) => pattern.test(userAgent))?.[1] ?? 'My device'
