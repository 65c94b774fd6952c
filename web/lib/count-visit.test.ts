import { beforeEach, expect, test, vi } from 'vitest'

const screenHeight = 800

const page = vi.hoisted(() => ({ element: { height: 0 } }))
// Runs the effect immediately, for an element that is already on the page.
vi.mock('react', () => ({ useRef: () => ({ current: page.element }), useEffect: (effect: () => void) => effect() }))

/** Reports when a browser would: only when the visible part of the element passes a threshold. */
class Observer {
  static last: Observer
  private crossed = -1
  private readonly report: (entries: object[]) => void
  private readonly threshold: number[]
  constructor(report: (entries: object[]) => void, { threshold }: { threshold: number[] }) {
    this.report = report
    this.threshold = threshold
    Observer.last = this
  }
  observe() {}
  disconnect = vi.fn()
  show(visible: number): void {
    const ratio = visible / page.element.height
    const crossed = this.threshold.filter((each) => ratio >= each).length
    if (crossed === this.crossed) return
    this.crossed = crossed
    this.report([{ isIntersecting: visible > 0, intersectionRatio: ratio, intersectionRect: { height: visible } }])
  }
}

vi.stubGlobal('document', { addEventListener: () => {}, visibilityState: 'visible' })
vi.stubGlobal('IntersectionObserver', Observer)
vi.stubGlobal('innerHeight', screenHeight)

const { useCountedWhenSeen: countWhenSeen } = await import('./count-visit.ts')

beforeEach(() => {
  vi.useFakeTimers()
})

/** Scrolls until `visible` pixels are on screen, and waits. */
function isCounted(height: number, visible: number, waitMs = 1_000): boolean {
  page.element.height = height
  countWhenSeen('a', 'post', `${height}`)
  for (let each = 0; each <= visible; each += 10) Observer.last.show(each)
  vi.advanceTimersByTime(waitMs)
  return Observer.last.disconnect.mock.calls.length > 0
}

test('counts an element that is half visible for a second', () => {
  expect(isCounted(400, 200)).toBe(true)
  expect(isCounted(400, 200, 900)).toBe(false)
  expect(isCounted(400, 190)).toBe(false)
})

test('counts an element that fills half the screen, however tall it is', () => {
  for (const screens of [3, 5, 12]) {
    expect(isCounted(screens * screenHeight, screenHeight), `${screens} screens`).toBe(true)
    expect(isCounted(screens * screenHeight, screenHeight / 2 - 10), `${screens} screens`).toBe(false)
  }
})

test('counts a tall post while it is scrolled through', () => {
  isCounted(3 * screenHeight, 500, 0)
  for (let visible = 500; visible <= screenHeight; visible += 10) {
    Observer.last.show(visible)
    vi.advanceTimersByTime(50)
  }
  expect(Observer.last.disconnect).toHaveBeenCalledOnce()
})
