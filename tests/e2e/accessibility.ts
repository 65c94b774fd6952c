import fs from 'node:fs'
import { createRequire } from 'node:module'
import { expect, type Page } from '@playwright/test'
import { appIsThere } from './app.ts'

type Theme = 'light' | 'dark'
type Axe = { run(where: Document, options: object): Promise<{ violations: { id: string; nodes: { target: unknown[] }[] }[] }> }

const resolveFrom = (place: string, name: string) => createRequire(place).resolve(name)
/** The one that comes with the package for Playwright, in its short form: every page that is looked through has to read it. */
const source = fs.readFileSync(resolveFrom(resolveFrom(import.meta.url, '@axe-core/playwright'), 'axe-core/axe.min.js'), 'utf8')

/** Nothing that axe would object to, in either theme. The screen must be complete. */
export async function expectAccessible(page: Page, themes: readonly Theme[] = ['light', 'dark']): Promise<void> {
  await appIsThere(page)
  await stopTransitions(page)
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    // The themes differ in their colors alone.
    const findings = await axeFindings(page, colorScheme === 'dark' ? ['color-contrast', 'link-in-text-block'] : undefined)
    expect(findings, `${new URL(page.url()).pathname}, ${colorScheme}`).toEqual([])
  }
}

/**
 * What axe objects to, "rule: elements", by these rules or else by all that it has on. The package for Playwright would bring axe
 * anew for each look, and carry home a description of all that is right: more than half of what a look costs.
 */
export async function axeFindings(page: Page, rules?: string[]): Promise<string[]> {
  await appIsThere(page)
  // Axe would have to be in each of them.
  expect(page.frames(), 'frames, which nobody looks through').toHaveLength(1)
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source)
  const options = { resultTypes: ['violations'], ...(rules ? { runOnly: { type: 'rule', values: rules } } : {}) }
  return page.evaluate(async (given) => {
    const { violations } = await (window as unknown as { axe: Axe }).axe.run(document, given)
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
  }, options)
}

/** Colors that are on their way from one theme to the other would be measured in between. */
function stopTransitions(page: Page): Promise<void> {
  return page.evaluate(async () => {
    // Not by an element: the page's policy allows no inline styles.
    const sheet = new CSSStyleSheet()
    sheet.replaceSync('*, *::before, *::after { transition: none !important; animation-duration: 0s !important }')
    document.adoptedStyleSheets.push(sheet)
    await new Promise(requestAnimationFrame)
  })
}
