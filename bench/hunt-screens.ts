import { type Browser, chromium, type Page } from '@playwright/test'
import { type DrawnFigures, drawnFigures, type FrameFigures, frameFigures, traced } from './frames.ts'
import { quantile } from './latency.ts'

export type WeightFigures = {
  moves: number
  /** From the key press to the first frame with the updated ranking. */
  p50ShownMs: number
  p95ShownMs: number
  p50PaintedMs: number
  /** CPU time of one move, in scripts and in style, layout and paint. */
  scriptMs: number
  drawingMs: number
}

/**
 * Measures how the trait matrix scrolls and how the ranking follows a weight, with the browser's trace. Without a GPU, compositing runs on
 * the CPU in other threads, so only our main thread counts here.
 */
export async function measureScreens(origin: string, cookie: string, huntId: string, executablePath: string | undefined) {
  const browser = await chromium.launch({ ...(executablePath ? { executablePath } : {}), args: ['--no-sandbox', '--disable-gpu'] })
  try {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, serviceWorkers: 'block' })
    const cookies = cookie.split('; ').map((each) => each.split('='))
    await context.addCookies(cookies.map(([name = '', ...value]) => ({ name, value: value.join('='), url: origin })))
    const page = await context.newPage()
    await page.goto(`${origin}/pheno-hunt?tab=tracker&hunt=${huntId}`)
    const grid = page.getByRole('grid', { name: 'Trait matrix' })
    await grid.waitFor({ timeout: 20_000 })
    await page.locator('input[type="range"]').first().waitFor({ timeout: 20_000 })
    await page.waitForTimeout(2000)
    await grid.scrollIntoViewIfNeeded()
    const scrolls = [
      await scrolled(browser, page, 'matrix, down 6,000 px', { yDistance: -6000 }),
      await scrolled(browser, page, 'matrix, across 2,500 px', { xDistance: -2500 }),
    ]
    return { scrolls, weight: await weightMoved(browser, page) }
  } finally {
    await browser.close()
  }
}

async function scrolled(
  browser: Browser,
  page: Page,
  what: string,
  by: { xDistance?: number; yDistance?: number },
): Promise<FrameFigures & { drawn: DrawnFigures }> {
  const box = await page.getByRole('grid', { name: 'Trait matrix' }).boundingBox()
  if (!box) throw new Error('The matrix is not in the page.')
  const client = await page.context().newCDPSession(page)
  const { main, drawn } = await traced(browser, page, async () => {
    await client.send('Input.synthesizeScrollGesture', {
      x: Math.round(box.x + box.width / 2),
      y: Math.round(Math.min(box.y + box.height / 2, 800)),
      ...by,
      speed: 1500,
      gestureSourceType: 'mouse',
    })
  })
  return { ...frameFigures(what, main), drawn: drawnFigures(drawn) }
}

const moves = 20

/**
 * Runs in the page and measures from the next key press to the resulting ranking. A string, because benchmarks are type-checked without
 * the DOM's types.
 */
const untilPainted = `new Promise((resolve) => {
  const ranking = document.querySelector('[aria-busy]:has([role="status"])')
  let start = 0
  document.addEventListener('keydown', (event) => { start = event.timeStamp }, { capture: true, once: true })
  const observer = new MutationObserver(() => {
    if (ranking.getAttribute('aria-busy') !== 'false') return
    observer.disconnect()
    const shown = performance.now() - start
    requestAnimationFrame(() => setTimeout(() => resolve({ shown, painted: performance.now() - start })))
  })
  observer.observe(ranking, { attributes: true, attributeFilter: ['aria-busy'] })
})`

async function weightMoved(browser: Browser, page: Page): Promise<WeightFigures> {
  const slider = page.locator('input[type="range"]').first()
  await slider.scrollIntoViewIfNeeded()
  await slider.focus()
  const shown: number[] = []
  const painted: number[] = []
  const { main } = await traced(browser, page, async () => {
    for (let move = 0; move < moves; move++) {
      const times = page.evaluate<{ shown: number; painted: number }>(untilPainted)
      await slider.press(move % 2 === 0 ? 'ArrowRight' : 'ArrowLeft')
      const taken = await times
      shown.push(taken.shown)
      painted.push(taken.painted)
      await page.waitForTimeout(200)
    }
  })
  const spent = (names: readonly string[]) =>
    main.filter((event) => names.includes(event.name)).reduce((sum, event) => sum + (event.tdur ?? event.dur ?? 0), 0) / 1000 / moves
  return {
    moves,
    p50ShownMs: quantile(shown, 0.5),
    p95ShownMs: quantile(shown, 0.95),
    p50PaintedMs: quantile(painted, 0.5),
    scriptMs: spent(['FunctionCall', 'EvaluateScript', 'FireAnimationFrame']),
    drawingMs: spent(['UpdateLayoutTree', 'Layout', 'PrePaint', 'Paint', 'Layerize', 'Commit']),
  }
}
