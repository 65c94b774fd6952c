import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser } from '@playwright/test'
import { quantile } from './latency.ts'

/** Milliseconds within which a slow phone's screen must have replaced all placeholders in view. */
export const maxCompleteMs = 2_500

const phone = { viewport: { width: 412, height: 823 }, isMobile: true, hasTouch: true, serviceWorkers: 'block' } as const
const cpuSlowdown = 4
const settleMs = 4_000
const network = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 }

export type FirstScreen = { address: string; cache: 'cold' | 'warm'; completeMs: number; pageBytes: number }

/**
 * Medians of `runs`: how long after navigation starts a member's screen shows its content without placeholders in view, on a phone with a
 * slow processor and network, first with an empty cache and then with the site's files cached.
 */
export async function measureFirstScreen(browser: Browser, url: string, cookie: string, runs: number): Promise<FirstScreen[]> {
  const found: Record<FirstScreen['cache'], number[]> = { cold: [], warm: [] }
  let pageBytes = 0
  for (let run = 0; run < runs; run++) {
    const context = await browser.newContext(phone)
    await context.addCookies(
      cookie.split('; ').map((each) => ({ name: each.split('=')[0] as string, value: each.slice(each.indexOf('=') + 1), url })),
    )
    const page = await context.newPage()
    await page.addInitScript({ content: watch })
    const devtools = await context.newCDPSession(page)
    await devtools.send('Network.enable')
    await devtools.send('Network.emulateNetworkConditions', network)
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown })
    for (const cache of ['cold', 'warm'] as const) {
      const answer = await page.goto(url)
      // A fixed time, because late responses may show placeholders again, and a live connection never lets the network become idle.
      await sleep(settleMs)
      pageBytes = (await answer?.request().sizes())?.responseBodySize ?? 0
      found[cache].push((await page.evaluate<number | null>('window.completeAt')) ?? Number.POSITIVE_INFINITY)
    }
    await context.close()
  }
  const { pathname: address } = new URL(url)
  return (['cold', 'warm'] as const).map((cache) => ({ address, cache, completeMs: quantile(found[cache], 0.5), pageBytes }))
}

/** Runs in the page: records when, in milliseconds after navigation, the page first had a heading and no placeholder in view. */
const watch = `{
  window.completeAt = null
  const isInView = (element) => {
    const { top, bottom, width } = element.getBoundingClientRect()
    return width > 0 && bottom > 0 && top < innerHeight
  }
  const look = () => {
    const isDrawn = document.querySelector('main h1') !== null
    if (!isDrawn || [...document.querySelectorAll('.animate-shimmer')].some(isInView)) window.completeAt = null
    else window.completeAt ??= performance.now()
    requestAnimationFrame(look)
  }
  look()
}`
