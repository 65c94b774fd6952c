import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

type Theme = 'light' | 'dark'

/** Nothing that axe would object to, in either theme. The screen must be complete. */
export async function expectAccessible(page: Page, themes: readonly Theme[] = ['light', 'dark']): Promise<void> {
  await stopTransitions(page)
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    // No page here has frames; the other mode opens a page of its own for them each time.
    const axe = new AxeBuilder({ page }).setLegacyMode(true)
    // The themes differ in their colors alone.
    if (colorScheme === 'dark') axe.withRules(['color-contrast', 'link-in-text-block'])
    const { violations } = await axe.analyze()
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`)
    expect(found, `${new URL(page.url()).pathname}, ${colorScheme}`).toEqual([])
  }
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
