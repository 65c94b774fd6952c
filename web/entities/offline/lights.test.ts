import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { contrast, type Oklch, oklchToHex, oklchToSrgb } from '#web/ui/cover/tones.ts'
import { readTokens } from '#web/ui/read-tokens.test-support.ts'

const css = readFileSync(new URL('./lights.css', import.meta.url), 'utf8')
const colors: Record<string, Oklch> = Object.fromEntries(
  [...css.matchAll(/--([\w-]+): oklch\(([^)/]*)/g)].map(([, name, numbers]) => {
    const [lightness, chroma, hue] = numbers!.trim().split(/\s+/).map(Number)
    return [name!, [lightness!, chroma!, hue!]]
  }),
)

const grounds = ['ground', 'surface', 'sunk', 'raised']
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
  ground: ['ink'],
}
const markPairs: Record<string, string[]> = { edge: grounds, focus: grounds, star: ['ground', 'surface', 'raised'] }

const failures = (pairs: Record<string, string[]>, minRatio: number) =>
  Object.entries(pairs).flatMap(([over, unders]) =>
    unders
      .map((under) => ({ under, ratio: contrast(colors[over]!, colors[under]!) }))
      .filter(({ ratio }) => ratio < minRatio)
      .map(({ under, ratio }) => `${over} on ${under}: ${ratio.toFixed(2)}`),
  )

test('has a color for every role with the lights off', () => {
  const roles = Object.keys(readTokens(readFileSync(new URL('../../ui/tokens.css', import.meta.url), 'utf8')).dark)
  expect(roles.filter((role) => !(role in colors))).toEqual([])
})

test('keeps text readable and controls visible', () => {
  expect(failures(textPairs, 4.5)).toEqual([])
  expect(failures(markPairs, 3)).toEqual([])
})

test('contains no bright, blue, or green color', () => {
  for (const [name, color] of Object.entries(colors)) {
    const [red, green, blue] = oklchToSrgb(color)
    expect(contrast(color, [0, 0, 0]), `${name} against black`).toBeLessThan(9)
    expect(red, name).toBeGreaterThanOrEqual(green)
    expect(green, name).toBeGreaterThanOrEqual(blue - 0.03)
  }
})

test('gives phone toolbars the background color', () => {
  const code = readFileSync(new URL('./lights.ts', import.meta.url), 'utf8')
  expect(/dimGround = '(#\w+)'/.exec(code)?.[1]).toBe(oklchToHex(colors.ground!))
})
