import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { businessTypes } from '#contracts/business-types.ts'
import { hashText, seededRandom } from '#web/ui/seed.ts'
import { type CompositionName, compositions, coverComposition, coverShapes, drawCover } from './draw-cover.ts'
import { contrast, coverColor, coverPalette, coverRoles, type Oklch } from './tones.ts'

const css = readFileSync(new URL('./cover.css', import.meta.url), 'utf8')
const ids = Array.from({ length: 400 }, (_, index) => `0198c3a${index.toString(16).padStart(4, '0')}-7d2e`)

test('draws the same picture for the same ID', () => {
  for (const type of businessTypes) expect(drawCover('a', type)).toBe(drawCover('a', type))
  // Covers must not change, because link previews are cached. Only update this hash for intentional changes.
  const all = businessTypes.flatMap((type) => ids.map((id) => drawCover(id, type))).join('')
  expect(hashText(all)).toBe(1649242219)
})

test('keeps every cover under 2 KB', () => {
  const longest = Math.max(...businessTypes.flatMap((type) => ids.map((id) => drawCover(id, type).length)))
  expect(longest).toBeLessThan(2048)
})

test('writes only whole numbers in paths', () => {
  for (const type of businessTypes) {
    for (const id of ids) for (const { d } of coverShapes(id, type)) expect(d).toMatch(/^[MLHVCQAZmlhvcqaz\d -]+$/)
  }
})

test('draws 400 distinct pictures, spread evenly over each type’s compositions', () => {
  const seen = new Set<CompositionName>()
  for (const type of businessTypes) {
    expect(new Set(ids.map((id) => drawCover(id, type))).size).toBe(ids.length)
    const counts = new Map<CompositionName, number>()
    for (const id of ids) counts.set(coverComposition(id, type), (counts.get(coverComposition(id, type)) ?? 0) + 1)
    expect(counts.size).toBeGreaterThanOrEqual(5)
    for (const count of counts.values()) {
      expect(count).toBeGreaterThan((ids.length / counts.size) * 0.5)
      expect(count).toBeLessThan((ids.length / counts.size) * 1.6)
    }
    for (const name of counts.keys()) seen.add(name)
  }
  expect([...seen].sort()).toEqual(Object.keys(compositions).sort())
})

test.each(Object.entries(compositions))('draws %s differently for each seed', (_name, compose) => {
  const drawings = Array.from({ length: 50 }, (_, seed) => compose(seededRandom(seed)))
  expect(new Set(drawings.map((shapes) => JSON.stringify(shapes))).size).toBe(50)
  for (const shapes of drawings) expect(shapes.length).toBeGreaterThan(2)
})

test('inlines colors for a theme and leaves them to the stylesheet otherwise', () => {
  const free = drawCover('b', 'delivery')
  expect(free).toContain('var(--cover-sky)')
  expect(free).not.toContain('#')
  const fixed = drawCover('b', 'delivery', { theme: 'light', width: 1200, height: 630 })
  expect(fixed).not.toContain('var(')
  expect(fixed).toContain(coverPalette('delivery', 'light').sky)
  expect(fixed).toContain('width="1200" height="630" viewBox="0 0 320 168"')
})

test.each(['light', 'dark'] as const)('contrasts leaves and hills with the sky in the %s theme', (theme) => {
  for (const type of businessTypes) {
    for (const role of ['far', 'mid', 'near', 'deep', 'sun'] as const) {
      const ratio = contrast(coverColor(type, role, theme), coverColor(type, 'sky', theme))
      expect(ratio, `${type}, ${role}`).toBeGreaterThan(role === 'sun' ? 1.1 : 1.25)
    }
  }
})

const ruleOf = (selector: string) => new RegExp(`${selector} \\{([^}]*)\\}`).exec(css)?.[1]
const toneIn = (type: string) => ruleOf(`\\[data-cover="${type}"\\]`) ?? ruleOf('\\[data-cover\\]') ?? ''

test('has the same palette as the stylesheet', () => {
  for (const type of businessTypes) {
    const tone = Object.fromEntries([...toneIn(type).matchAll(/--(land|sky|vivid): ([\d.]+)/g)].map((m) => [m[1], Number(m[2])]))
    for (const role of coverRoles) {
      const declaration = new RegExp(`--cover-${role}: light-dark\\(\\s*oklch\\((.*?)\\)\\s*,\\s*oklch\\((.*?)\\)\\s*\\);`, 's').exec(css)!
      for (const [index, theme] of (['light', 'dark'] as const).entries()) {
        expect({ type, role, theme, color: resolve(declaration[index + 1]!, tone) }).toEqual({
          type,
          role,
          theme,
          color: coverColor(type, role, theme),
        })
      }
    }
  }
})

/** Substitutes variables in `0.94 calc(0.03 * var(--vivid)) var(--sky)`. */
function resolve(color: string, variables: Record<string, number>): Oklch {
  const numbers = color
    .replace(/calc\(([\d.]+) \* var\(--(\w+)\)\)/g, (_, factor, name) => String(Number(factor) * variables[name]!))
    .replace(/var\(--(\w+)\)/g, (_, name) => String(variables[name]))
    .split(' ')
    .map(Number)
  return numbers as unknown as Oklch
}
