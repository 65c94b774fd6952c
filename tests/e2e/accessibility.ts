import fs from 'node:fs'
import { createRequire } from 'node:module'
import { expect, type Page } from '@playwright/test'
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
