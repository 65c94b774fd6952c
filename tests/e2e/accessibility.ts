import fs from 'node:fs'
import { createRequire } from 'node:module'
import { expect, type Locator, type Page } from '@playwright/test'
import { appIsThere } from './app.ts'

type Theme = 'light' | 'dark'
type Axe = { run(where: Document, options: object): Promise<{ violations: { id: string; nodes: { target: unknown[] }[] }[] }> }

const resolveFrom = (place: string, name: string) => createRequire(place).resolve(name)
/** The minified build from the Playwright package, because every checked page has to parse it. */
const source = fs.readFileSync(resolveFrom(resolveFrom(import.meta.url, '@axe-core/playwright'), 'axe-core/axe.min.js'), 'utf8')

/** Expects no axe violations in the given themes. Call it once the screen has loaded. */
export async function expectAccessible(page: Page, themes: readonly Theme[] = ['light', 'dark']): Promise<void> {
  await appIsThere(page)
  await stopTransitions(page)
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    // The themes differ only in colors.
    const findings = await axeFindings(page, colorScheme === 'dark' ? ['color-contrast', 'link-in-text-block'] : undefined)
    expect(findings, `${new URL(page.url()).pathname}, ${colorScheme}`).toEqual([])
  }
}

/**
 * Axe violations as "rule: elements", for the given rules or all enabled ones. The Playwright package would inject axe for each
 * analysis and transfer all passing results, which is more than half of its cost.
 */
export async function axeFindings(page: Page, rules?: string[]): Promise<string[]> {
  await appIsThere(page)
  // Checking frames would mean injecting axe into each one.
  expect(page.frames(), 'frames, which no one checks').toHaveLength(1)
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source)
  const options = { resultTypes: ['violations'], ...(rules ? { runOnly: { type: 'rule', values: rules } } : {}) }
  return page.evaluate(async (given) => {
    const { violations } = await (window as unknown as { axe: Axe }).axe.run(document, given)
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
  }, options)
}

/** Colors in transition between themes would be measured halfway. */
function stopTransitions(page: Page): Promise<void> {
  return page.evaluate(async () => {
    // Don't add a style element, because the page's security policy forbids inline styles.
    const sheet = new CSSStyleSheet()
    sheet.replaceSync('*, *::before, *::after { transition: none !important; animation-duration: 0s !important }')
    document.adoptedStyleSheets.push(sheet)
    await new Promise(requestAnimationFrame)
  })
}

/** Expects targets of 44 pixels that don't overlap. */
export async function expectTouchTargets(targets: Locator): Promise<void> {
  const boxes = await targets.evaluateAll((all) =>
    all.map((each) => {
      const box = each.getBoundingClientRect()
      // Small controls have a larger touch target around them: `touch-target`.
      const around = getComputedStyle(each, '::after')
      const width = Math.max(box.width, Number.parseFloat(around.width) || 0)
      const height = Math.max(box.height, Number.parseFloat(around.height) || 0)
      const [x, y] = [box.x - (width - box.width) / 2, box.y - (height - box.height) / 2]
      return { name: each.textContent, x, y, width, height }
    }),
  )
  expect(boxes.length).toBeGreaterThan(0)
  expect(boxes.filter(({ width, height }) => width < 44 || height < 44)).toEqual([])
  const lieOnEachOther = boxes.filter((one, index) =>
    boxes.slice(index + 1).some((other) => {
      const isBeside = one.x + one.width <= other.x + 0.5 || other.x + other.width <= one.x + 0.5
      return !isBeside && one.y + one.height > other.y + 0.5 && other.y + other.height > one.y + 0.5
    }),
  )
  expect(lieOnEachOther).toEqual([])
}
