import type { Oklch } from './cover/tones.ts'

export type ThemeName = 'light' | 'dark'
export type Tokens = Record<ThemeName, Record<string, Oklch>>

const lightDark = /--([\w-]+):\s*light-dark\(\s*oklch\(([^)]*)\)\s*,\s*oklch\(([^)]*)\)\s*\)/g

/** Reads `--name: light-dark(oklch(…), oklch(…))`, without alpha. */
export function readTokens(css: string): Tokens {
  const tokens: Tokens = { light: {}, dark: {} }
  for (const [, name, light, dark] of css.matchAll(lightDark)) {
    tokens.light[name!] = parse(light!)
    tokens.dark[name!] = parse(dark!)
  }
  return tokens
}

function parse(numbers: string): Oklch {
  const [lightness, chroma, hue] = numbers.split('/')[0]!.trim().split(/\s+/).map(Number)
  if (![lightness, chroma, hue].every(Number.isFinite)) throw new Error(`Not an oklch color: ${numbers}`)
  return [lightness!, chroma!, hue!]
}
