import { type Browser, chromium, type Page } from '@playwright/test'
import { type FrameFigures, frameFigures, type TraceEvent, traced } from './frames.ts'

type MapFigures = FrameFigures & {
  /** CPU time of the map's worker threads, in total and for the longest task. No frame waits for them. */
  workersMs: number
  longestWorkerTaskMs: number
}

type MapScreen = {
  what: string
  /** What the map shows before moving: pins are businesses or counted cells, and `businesses` is how many they represent. */
  pins: number
  businesses: number
  moves: MapFigures[]
}

const screens = [
  { what: 'the whole country', path: '/discover?view=map', steps: 8 },
  { what: 'a state', path: '/discover?view=map&state=CO', steps: 6 },
  { what: 'a city', path: '/discover?view=map&near=Denver%2C%20CO&radius=50', steps: 4 },
]

/**
 * Measures dragging and zooming the map with the browser's trace. Without a GPU, the CPU draws in another process, so wall-clock
 * time is meaningless; this shows how much of each frame's time our code uses and how much it leaves for a GPU.
 */
export async function measureMap(origin: string, cookie: string, executablePath: string | undefined): Promise<MapScreen[]> {
  const args = ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader']
  const browser = await chromium.launch({ ...(executablePath ? { executablePath } : {}), args })
  try {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, serviceWorkers: 'block' })
    const cookies = cookie.split('; ').map((each) => each.split('='))
    await context.addCookies(cookies.map(([name = '', ...value]) => ({ name, value: value.join('='), url: origin })))
    const found = []
    for (const screen of screens) found.push(await measured(browser, await context.newPage(), origin, screen))
    return found
  } finally {
    await browser.close()
  }
}

async function measured(browser: Browser, page: Page, origin: string, { what, path, steps }: (typeof screens)[number]): Promise<MapScreen> {
  let pins: { count: number }[] = []
  page.on('response', async (response) => {
    if (new URL(response.url()).pathname === '/api/businesses/map') pins = ((await response.json()) as { pins: { count: number }[] }).pins
  })
  await page.goto(origin + path)
  await waitUntilSettled(page)
  const given = { pins: pins.length, businesses: pins.reduce((sum, { count }) => sum + count, 0) }
  const box = await canvasOf(page).boundingBox()
  if (!box) throw new Error('The map is not in the page.')
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  const moved = async (name: string, work: () => Promise<void>): Promise<MapFigures> => {
    const { main, workers } = await traced(browser, page, async () => {
      await work()
      await waitUntilSettled(page)
    })
    const tasks = workers.filter((event) => event.name === 'RunTask').map(processorMs)
    const workersMs = tasks.reduce((sum, ms) => sum + ms, 0)
    return { ...frameFigures(`${what}, ${name}`, main), workersMs, longestWorkerTaskMs: Math.max(0, ...tasks) }
  }
  const moves = [
    await moved('dragged', () => drag(page, x, y, box.width * 0.35)),
    await moved('zoomed in', () => turnWheel(page, x, y, steps, -120)),
    await moved('dragged there', () => drag(page, x, y, box.width * 0.35)),
    await moved('zoomed out', () => turnWheel(page, x, y, steps, 120)),
    // The first pass includes rendering new glyphs, outlines and pins.
    await moved('zoomed in again', () => turnWheel(page, x, y, steps, -120)),
  ]
  await page.close()
  return { what, ...given, moves }
}

const processorMs = ({ tdur, dur = 0 }: TraceEvent) => (tdur ?? dur) / 1000

const canvasOf = (page: Page) => page.getByRole('application', { name: 'Map of businesses' })

/** Waits until the pins are loaded, placed and drawn, and no frame is pending. */
async function waitUntilSettled(page: Page) {
  await page.locator('canvas[role="application"][aria-busy="false"]').waitFor({ timeout: 120_000 })
  await page.waitForLoadState('networkidle')
  await page.waitForTimeout(500)
  await page.locator('canvas[role="application"][aria-busy="false"]').waitFor({ timeout: 120_000 })
}

/** Drags the map back and forth, a few pixels per frame, as people do. */
async function drag(page: Page, x: number, y: number, far: number) {
  await page.mouse.move(x, y)
  await page.mouse.down()
  for (let step = 1; step <= 120; step++) {
    const angle = (step / 120) * 2 * Math.PI
    await page.mouse.move(x + far * Math.sin(angle), y + 0.6 * far * Math.sin(2 * angle))
    await page.waitForTimeout(10)
  }
  await page.mouse.up()
}

async function turnWheel(page: Page, x: number, y: number, steps: number, delta: number) {
  await page.mouse.move(x, y)
  for (let step = 0; step < steps; step++) {
    await page.mouse.wheel(0, delta)
    await page.waitForTimeout(250)
  }
}
