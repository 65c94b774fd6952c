import { useEffect, useLayoutEffect, useMemo, useState } from 'react'
import type { ChartOption } from './chart-option.ts'
import { type Look, readFonts, readPlotPalette, watchColors } from './palette.ts'
import type { Picture } from './plot-picture.ts'

/** What a plot looks like in the room and the theme it has. Pure: the same look and rows give the same plot. */
export type Draw = (look: Look) => ChartOption

type Library = typeof import('./chart-library.ts')
export type LoadedChart = ReturnType<Library['init']>

const loadLibrary = (): Promise<Library> => import('./chart-library.ts')

/**
 * A drawn plot inside an element: fetches the library, follows the element's width, the theme and the fonts, and cleans up. `heightOf`
 * says how high the plot is at a width.
 */
export function useChart(draw: Draw, heightOf: (width: number) => number) {
  const [element, setElement] = useState<HTMLElement | null>(null)
  const [chart, setChart] = useState<LoadedChart | null>(null)
  const [hasFailed, setFailed] = useState(false)
  const [attempt, setAttempt] = useState(0)
  const look = useLook(element, heightOf)
  const isSeen = look !== null

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt begins anew
  useEffect(() => {
    if (!element || !isSeen) return
    let made: LoadedChart | null = null
    let isGone = false
    loadLibrary().then(
      ({ init }) => {
        if (isGone) return
        made = init(element, null, { renderer: 'canvas' })
        setChart(made)
      },
      () => setFailed(true),
    )
    return () => {
      isGone = true
      made?.dispose()
      setChart(null)
    }
  }, [element, isSeen, attempt])

  useLayoutEffect(() => {
    if (!chart || !look || chart.isDisposed()) return
    chart.resize({ width: look.width, height: look.height })
    chart.setOption(draw(look), { notMerge: true })
  }, [chart, look, draw])

  const retry = () => {
    setFailed(false)
    setAttempt(attempt + 1)
  }
  return { setElement, chart, look, hasFailed, retry }
}

/** The look of an element now and after each change of its width, of the theme, of the contrast, and when the fonts have come. */
export function useLook(element: HTMLElement | null, heightOf: (width: number) => number): Look | null {
  const [seen, setSeen] = useState<Omit<Look, 'height'> | null>(null)
  useLayoutEffect(() => {
    if (!element) return
    const read = () => {
      const width = Math.floor(element.clientWidth)
      if (width > 0) setSeen({ palette: readPlotPalette(element), ...readFonts(element), width })
    }
    read()
    // Widths come often while a window is drawn larger; the colors are read anew only when they may have changed.
    const resizes = new ResizeObserver(() => {
      const width = Math.floor(element.clientWidth)
      if (width > 0) setSeen((before) => (before === null || before.width === width ? before : { ...before, width }))
    })
    resizes.observe(element)
    const unwatch = watchColors(read)
    void document.fonts.ready.then(read)
    return () => {
      resizes.disconnect()
      unwatch()
    }
  }, [element])
  const height = seen ? heightOf(seen.width) : 0
  return useMemo(() => (seen ? { ...seen, height } : null), [seen, height])
}

/** The plot at a size of its own, for a file. */
export function chartPicture(draw: Draw, width: number, height: number): Picture {
  return {
    width,
    height,
    async paint(context, look, scale) {
      const { init } = await loadLibrary()
      const chart = init(document.createElement('div'), null, { renderer: 'canvas', width, height, devicePixelRatio: scale })
      try {
        chart.setOption(draw(look), { notMerge: true })
        context.drawImage(chart.renderToCanvas({ pixelRatio: scale }), 0, 0, width, height)
      } finally {
        chart.dispose()
      }
    },
  }
}
