import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { avatarHues } from './avatar.tsx'
import { contrast, oklchToSrgb } from './cover/tones.ts'
import { readTokens, type ThemeName, type Tokens } from './read-tokens.test-support.ts'

const grounds = ['ground', 'surface', 'sunk', 'raised']

const read = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8')
const css = read('./tokens.css')
const base = read('./base.css')

/** Text needs a contrast of 4.5:1, borders and marks of controls 3:1 (WCAG 1.4.3, 1.4.11). */
const textPairs: Record<string, string[]> = {
  ink: [...grounds, 'leaf-soft', 'shine-soft', 'clay-soft'],
  muted: [...grounds, 'leaf-soft'],
  leaf: [...grounds, 'leaf-soft'],
  'leaf-strong': [...grounds, 'leaf-soft'],
  'on-leaf': ['leaf', 'leaf-strong'],
  clay: [...grounds, 'clay-soft'],
  'clay-strong': [...grounds, 'clay-soft'],
  'on-clay': ['clay', 'clay-strong'],
  'on-shine': ['shine', 'shine-strong'],
  'on-pay': ['pay', 'pay-strong'],
  'shine-ink': ['shine-soft', 'ground', 'surface'],
  // Pressed chips and tooltips invert the colors.
  ground: ['ink'],
}
const markPairs: Record<string, string[]> = {
  edge: grounds,
  focus: grounds,
  star: ['ground', 'surface', 'raised'],
  leaf: ['line'],
  'plot-sky': [...grounds],
  'plot-plum': [...grounds],
}

const [usual, moreContrast] = css.split('@media (prefers-contrast: more)') as [string, string]
const tokens = readTokens(usual)
const strong: Tokens = {
  light: { ...tokens.light, ...readTokens(moreContrast).light },
  dark: { ...tokens.dark, ...readTokens(moreContrast).dark },
}

function failures(pairs: Record<string, string[]>, colors: Tokens[ThemeName], minRatio: number): string[] {
  return Object.entries(pairs).flatMap(([over, unders]) =>
    unders
      .map((under) => ({ under, ratio: contrast(colors[over]!, colors[under]!) }))
      .filter(({ ratio }) => ratio < minRatio)
      .map(({ under, ratio }) => `${over} on ${under}: ${ratio.toFixed(2)}`),
  )
}

describe.each(['light', 'dark'] as const)('the %s theme', (theme) => {
  test('has 4.5:1 contrast for text on every background in use', () => {
    expect(failures(textPairs, tokens[theme], 4.5)).toEqual([])
  })

  test('has 3:1 contrast for control borders, focus rings, and other marks', () => {
    expect(failures(markPairs, tokens[theme], 3)).toEqual([])
  })

  test('has 7:1 contrast for text and 3:1 for hairlines when more contrast is requested', () => {
    expect(failures({ ink: grounds, muted: grounds, leaf: grounds, clay: grounds }, strong[theme], 7)).toEqual([])
    expect(failures({ line: ['ground', 'surface', 'sunk'], edge: grounds }, strong[theme], 3)).toEqual([])
  })

  test('has readable initials on every avatar', () => {
    const tone = readTokens(base.replace(/(background|color): light-dark/g, '--$1: light-dark').replaceAll('var(--hue)', '0'))[theme]
    const low = avatarHues.filter((hue) => {
      const [ink, ground] = [tone.color!, tone.background!]
      return contrast([ink[0], ink[1], hue], [ground[0], ground[1], hue]) < 4.5
    })
    expect(low).toEqual([])
  })

  test('gives the gutter behind a dialog the color of the dimmed page', () => {
    const [, alpha] = /--scrim:.*?\/ ([\d.]+)\), oklch\([^/]*\/ ([\d.]+)\)/.exec(usual)!.map(Number)
    const alphas = { light: alpha!, dark: Number(/--scrim:.*\/ ([\d.]+)\)\);/.exec(usual)![1]) }
    const [scrim, ground, dimmed] = ['scrim', 'ground', 'ground-dimmed'].map((name) => oklchToSrgb(tokens[theme][name]!))
    for (const channel of [0, 1, 2]) {
      const mixed = scrim![channel]! * alphas[theme] + ground![channel]! * (1 - alphas[theme])
      expect(Math.abs(mixed - dimmed![channel]!)).toBeLessThan(0.02)
    }
  })
})

test('maps every color class to an existing role', () => {
  const roles = [...css.matchAll(/--color-[\w-]+: var\(--([\w-]+)\)/g)].map((match) => match[1]!)
  expect(roles.length).toBeGreaterThan(20)
  expect(roles.filter((role) => !(role in tokens.light))).toEqual([])
})
