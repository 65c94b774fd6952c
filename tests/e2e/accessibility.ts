import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

type Theme = 'light' | 'dark'

/** Nothing that axe would object to, in either theme. The screen must be complete. */
export async function expectAccessible(page: Page, themes: readonly Theme[] = ['light', 'dark']): Promise<void> {
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    // Colors that are on their way from one theme to the other would be measured in between.
    await page.evaluate(async () => {
      // An element starts when its parent has arrived, for it inherits the color: many rounds, as deep as the page.
      for (let round = 0; round < 100; round++) {
        await new Promise(requestAnimationFrame)
        const animations = document.getAnimations()
        if (animations.length === 0) break
        await Promise.all(animations.map((animation) => animation.finished.catch(() => undefined)))
      }
    })
    // No page here has frames; the other mode opens a page of its own for them each time.
    const axe = new AxeBuilder({ page }).setLegacyMode(true)
    // The themes differ in their colors alone.
    if (colorScheme === 'dark') axe.withRules(['color-contrast', 'link-in-text-block'])
    const { violations } = await axe.analyze()
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`)
    expect(found, `${new URL(page.url()).pathname}, ${colorScheme}`).toEqual([])
  }
}
